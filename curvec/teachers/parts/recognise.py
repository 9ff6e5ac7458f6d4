"""What an object is, by the names of its classes: no library is imported to find out."""

from __future__ import annotations

from typing import Any

from curvec.errors import UnsupportedError

_WRAPPERS = {
    "BaseSearchCV": "best_estimator_",
    "FrozenEstimator": "estimator",
    "RANSACRegressor": "estimator_",
    "FixedThresholdClassifier": "estimator_",
    "TunedThresholdClassifierCV": "estimator_",
}
"""scikit-learn's classes around a model whose raw score they leave alone, and where the model is."""


def is_instance(value: Any, package: str, *classes: str) -> bool:
    """Whether ``value`` is of one of the named classes of that package, or of a subclass of one."""
    return any(
        kind.__name__ in classes and kind.__module__.partition(".")[0] == package for kind in type(value).__mro__
    )


def check_fitted(teacher: Any, *, fitted: bool) -> None:
    """Refuse a model that is not fitted.

    Raises:
        UnsupportedError: it is not; the message names its class.

    """
    if not fitted:
        raise UnsupportedError(f"{type(teacher).__name__} is not fitted; call fit first")


def unwrapped(teacher: Any) -> Any:
    """The model inside curvec's estimators, interpret's linear models, scikit-learn's searches, RFE and pipelines."""
    if is_instance(teacher, "sklearn", "Pipeline"):
        *before, (_, last) = teacher.steps
        if all(step in (None, "passthrough") for _, step in before):
            return unwrapped(last)
    if is_instance(teacher, "interpret", "LinearRegression", "LogisticRegression") and hasattr(teacher, "sk_model_"):
        return teacher.sk_model_
    if is_instance(teacher, "curvec", "CurveRegressor", "CurveClassifier") and hasattr(teacher, "model_"):
        return teacher.model_
    if is_instance(teacher, "sklearn", "RFE") and hasattr(teacher, "estimator_"):
        from sklearn.pipeline import Pipeline

        return Pipeline([("chosen", teacher), ("model", teacher.estimator_)])
    for wrapper, attribute in _WRAPPERS.items():
        if is_instance(teacher, "sklearn", wrapper) and hasattr(teacher, attribute):
            return unwrapped(getattr(teacher, attribute))
    return teacher
