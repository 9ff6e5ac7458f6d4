"""The model: terms, intercept and link over named features, with its strict JSON form."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from curvec.compiled import CompiledModel
from curvec.data import Table
from curvec.errors import InputError
from curvec.files import write_text
from curvec.ir import Feature, Levels, Term, features_of, names_of, number, terms_tuple, text
from curvec.links import link
from curvec.transforms import FloatArray

__all__ = ["CurveModel", "check_model", "from_json", "json_schema"]

VERSION: Literal[1] = 1


class CurveModel(msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A sum of terms.

    Attributes:
        name: what the emitted code is called after.
        terms: the terms, in the order in which they are added.
        intercept: where the sum starts.
        link: "identity", "logit" or "log"; ``predict`` applies its inverse to the raw score.
        features: the input columns in order, with their types; left out, they follow from the terms. Columns that
            no term uses may be listed too.
        note: a reviewer's remark, carried along.

    Raises:
        InputError: a rule is broken; the message names it.

    """

    name: str
    terms: Sequence[Term]
    intercept: float = 0.0
    link: str = "identity"
    features: Sequence[Feature] = ()
    note: str = ""

    def __post_init__(self) -> None:
        """Normalise and check."""
        if not text(self.name, "the model's name"):
            raise InputError("the model's name is empty; emitted code is called after it")
        text(self.note, "a note")
        link(self.link)
        terms = terms_tuple(self.terms, f"model {self.name!r}")
        fields = {
            "terms": terms,
            "intercept": number(self.intercept, "the intercept"),
            "features": _features(tuple(self.features), terms),
        }
        for field, value in fields.items():
            msgspec.structs.force_setattr(self, field, value)

    def __str__(self) -> str:
        """The listing that a reviewer reads, a term a line."""
        from curvec.emit.python import model_text  # noqa: PLC0415  a later stage, loaded only where it is used

        return model_text(self)

    def table(self, data: Any) -> Table:
        """The model's columns of ``data``, checked (see :class:`curvec.data.Table`)."""
        return Table(data, self._used_features())

    def _used_features(self) -> list[Feature]:
        used = set(names_of(*self.terms))
        return [feature for feature in self.features if feature.name in used]

    def eval(self, data: Any) -> FloatArray:
        """(rows,) raw scores, before the link; NaN where a missing value has no value of its own.

        Args:
            data: a mapping of arrays, or a pandas, polars or pyarrow frame.

        Raises:
            InputError: a column is missing, ragged or of the wrong type; the message names it.

        """
        return self.compile().eval(data)

    def predict(self, data: Any) -> FloatArray:
        """(rows,) predictions: the inverse link of the raw score. Arguments and errors as :meth:`eval`."""
        return self.compile().predict(data)

    def contributions(self, data: Any) -> FloatArray:
        """(rows, terms) one column a term. Arguments and errors as :meth:`eval`."""
        return self.compile().contributions(data)

    def compile(self) -> CompiledModel:
        """The model as a program of the compiled core, for one row at a time or for threads; made once and kept."""
        compiled: CompiledModel | None = self.__dict__.get("compiled")
        if compiled is None:
            compiled = CompiledModel(self.terms, self.intercept, self.link, self._used_features())
            self.__dict__["compiled"] = compiled  # beside the fields: no part of the value, of its JSON or its hash
        return compiled

    def cap(self, feature: str, *, above: float | None = None, below: float | None = None) -> CurveModel:
        """Values of a feature beyond a bound count as the bound; see :func:`curvec.edit.cap`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.cap(self, feature, above=above, below=below)

    def drop(self, feature: str, *, recentre: Any = None, weights: Any = None) -> CurveModel:
        """The model without a feature, the intercept re-centred on rows; see :func:`curvec.edit.drop`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.drop(self, feature, recentre=recentre, weights=weights)

    def drop_unused(self) -> CurveModel:
        """The model without the columns that no term uses; see :func:`curvec.edit.drop_unused`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.drop_unused(self)

    def rename(self, features: Mapping[str, str]) -> CurveModel:
        """The model with features called otherwise, old name -> new name; see :func:`curvec.edit.rename`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.rename(self, features)

    def replace(self, what: str | Term, term: Term) -> CurveModel:
        """The model with one term, or the term of a feature, replaced; see :func:`curvec.edit.replace`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.replace(self, what, term)

    def round(self, digits: int) -> CurveModel:
        """The model with every number at so many significant digits; see :func:`curvec.edit.round_model`."""
        from curvec import edit  # noqa: PLC0415  a later stage, loaded only where it is used

        return edit.round_model(self, digits)

    def plot(self, X: Any = None, **options: Any) -> Any:  # noqa: N803  the field's name for a table of features
        """Draw every curve with matplotlib; see :func:`curvec.review.plot.plot_model` for the options."""
        from curvec.review.plot import plot_model  # noqa: PLC0415  a later stage, loaded only where it is used

        return plot_model(self, X, **options)

    def _repr_html_(self) -> str:
        from curvec.review.notebook import model_html  # noqa: PLC0415  a later stage, loaded only where it is used

        return model_html(self)

    def to_json(self) -> str:
        """The file form: versioned, strict JSON; every number keeps its exact double."""
        wire = msgspec.to_builtins(ModelFile(VERSION, self), enc_hook=_encode)
        return json.dumps(wire, indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def save(self, path: str | Path) -> None:
        """Write :meth:`to_json` to a .json file; :func:`curvec.load` reads it back.

        Raises:
            InputError: the file cannot be written, or its suffix says that it is no JSON.

        """
        if Path(path).suffix != ".json":
            raise InputError(
                f"{path}: a model file is JSON, so its name ends in .json; curvec.emit makes code of a model"
            )
        write_text(path, self.to_json())


def check_model(model: Any) -> None:
    """Whether it is a model.

    Raises:
        InputError: it is something else; a result that has one says so.

    """
    if not isinstance(model, CurveModel):
        held = [name for name in ("model", "model_") if isinstance(getattr(model, name, None), CurveModel)]
        inside = f"; pass its .{held[0]}" if held else ""
        raise InputError(f"a {type(model).__name__} is no CurveModel{inside}")


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    curvec: Literal[1]
    model: CurveModel


def from_json(source: str, origin: str = "JSON") -> CurveModel:
    """The model of a JSON text.

    Raises:
        InputError: not JSON, a duplicate key, a number outside the doubles, an unknown field or version, or a rule
            of the model is broken; the message says where.

    """
    try:
        wire = json.loads(source, object_pairs_hook=_unique, parse_constant=_refuse_constant, parse_int=_exact_integer)
        return msgspec.convert(wire, ModelFile, dec_hook=_decode).model
    except (ValueError, msgspec.ValidationError, RecursionError) as error:  # a ValueError for integers of many digits
        raise InputError(f"{origin}: {error}") from None


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the file form."""
    schema = msgspec.json.schema(ModelFile, schema_hook=_schema)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "curvec model", **schema}


def _features(given: tuple[Feature, ...], terms: Sequence[Term]) -> tuple[Feature, ...]:
    used: dict[str, Feature] = {}
    for term in terms:
        for feature in features_of(term):
            earlier = used.setdefault(feature.name, feature)
            if earlier.type != feature.type and {earlier.type, feature.type} != {"int", "number"}:
                raise InputError(
                    f"feature {feature.name!r} is used as {earlier.type} and as {feature.type}; use one type"
                )
            if feature.type == "int":
                used[feature.name] = feature  # integer categories may also be read as a number
    if not given:
        return tuple(used.values())
    listed = {feature.name: feature for feature in given}
    if len(listed) < len(given):
        raise InputError(f"a feature is listed twice among {[feature.name for feature in given]!r}")
    for name, feature in used.items():
        if name not in listed:
            raise InputError(f"feature {name!r} is used by a term and not listed in features")
        if listed[name].type != feature.type and (listed[name].type, feature.type) != ("int", "number"):
            raise InputError(f"feature {name!r} is listed as {listed[name].type} and used as {feature.type}")
    return given


def _encode(value: Any) -> Any:
    if isinstance(value, Levels):
        return [[key, level] for key, level in value.items()]
    raise NotImplementedError(f"no JSON form for {type(value).__name__}")


def _decode(kind: type, value: Any) -> Any:
    if kind is Levels:
        if not isinstance(value, list) or not all(isinstance(pair, list) and len(pair) == 2 for pair in value):
            raise msgspec.ValidationError("a mapping must be a list of [level, value] pairs")
        return Levels([(key, level) for key, level in value])
    raise NotImplementedError(f"no JSON form for {kind.__name__}")


def _schema(kind: type) -> dict[str, Any]:
    if kind is Levels:
        key = {"type": ["integer", "string", "boolean"]}
        pair = {"type": "array", "prefixItems": [key, {"type": "number"}], "minItems": 2, "maxItems": 2}
        return {"type": "array", "items": pair, "minItems": 1}
    raise NotImplementedError(f"no schema for {kind.__name__}")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        keys = [key for key, _ in pairs]
        raise InputError(f"the key {next(key for key in keys if keys.count(key) > 1)!r} is there twice")
    return result


def _refuse_constant(constant: str) -> float:
    raise InputError(f"{constant} is not strict JSON; numbers must be finite")


def _exact_integer(digits: str) -> int:
    # Here and not in the constructors: msgspec makes an integer a float, rounded, before they see it.
    value = int(digits)
    number(value, "a number")
    return value
