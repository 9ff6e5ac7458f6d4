"""A model as a function of SQL in the user's DuckDB connection, scored by the compiled core over Arrow."""

from __future__ import annotations

from collections.abc import Callable, Collection
from inspect import Parameter, Signature
from typing import Any

from curvec.compiled import CompiledModel
from curvec.data import Table
from curvec.errors import InputError, shown, with_article
from curvec.model import ModelLike, as_model
from curvec.rows.arrow import array_of, arrow_doubles
from curvec.rows.files import in_quotes
from curvec.rows.packages import pyarrow

_TYPES = {"number": "DOUBLE", "int": "BIGINT", "str": "VARCHAR", "bool": "BOOLEAN"}


def register(connection: Any, model: ModelLike, name: str | None = None) -> str:
    """Make a model callable in SQL: ``SELECT claims(age, region), claims_predict(age, region) FROM policies``.

    The functions take the model's features in their order (numbers as DOUBLE, categories as BIGINT, VARCHAR or BOOLEAN)
    and give the raw score and the prediction, NULL where there is none: the bits of ``model.eval`` and
    ``model.predict``, and those of the emitted SQL, which needs no Python where it runs.

    Args:
        connection: a ``duckdb.DuckDBPyConnection``, such as ``duckdb.connect()`` gives.
        model: the model; or a curve or a fit of one, as :func:`curvec.emit` takes them.
        name: the name of the function of the score; None for the model's name. The function of the prediction has
            ``_predict`` appended. Functions of these names that were registered before are replaced.

    Returns:
        A call of it: ``claims(age, region)``, with names in quotes where SQL needs them.

    Raises:
        InputError: the connection is none of DuckDB's or closed, the name is no name or that of a function of DuckDB's
            own, or the model reads no feature.
        MissingDependencyError: pyarrow is not installed.

    """
    pyarrow()
    model = as_model(model)
    called = model.name if name is None else name
    if not hasattr(connection, "create_function"):
        raise InputError(
            f"connection is {with_article(type(connection).__name__)}; pass a DuckDB connection, as duckdb.connect() "
            "gives"
        )
    if not (isinstance(called, str) and called.isidentifier()):
        raise InputError(f"name={shown(called)} is no name of a function; pass a name= of letters, digits and _")
    compiled = model.compile()
    if not compiled.features:
        raise InputError(f"model {model.name!r} reads no feature, so it is the number {model.intercept!r}")
    types = [_TYPES[feature.type] for feature in compiled.features]
    for own, predict in ((called, False), (f"{called}_predict", True)):
        _replace(connection, own, _function(compiled, predict=predict), types)
    keywords = {word for (word,) in connection.cursor().execute(_KEYWORDS).fetchall()}
    columns = [_quoted(feature.name, keywords) for feature in compiled.features]
    return f"{_quoted(called, keywords)}({', '.join(columns)})"


_KEYWORDS = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"


def _quoted(name: str, keywords: Collection[str]) -> str:
    return name if name.isidentifier() and name.lower() not in keywords else in_quotes(name)


def _replace(connection: Any, name: str, function: Callable[..., Any], types: list[str]) -> None:
    try:
        connection.remove_function(name)
    except Exception as error:  # DuckDB's own class, which says that there was none
        if "InvalidInput" not in type(error).__name__ and "Catalog" not in type(error).__name__:
            raise
    try:
        connection.create_function(name, function, types, "DOUBLE", type="arrow", null_handling="special")
    except Exception as error:
        kind, said = type(error).__name__, str(error).partition("\n")[0]
        if "Catalog" in kind:
            raise InputError(
                f"name={name!r}: DuckDB has a function of its own of that name; give another ({said})"
            ) from error
        if "Connection" in kind:
            raise InputError(f"the DuckDB connection cannot be used ({said})") from error
        raise


def _function(model: CompiledModel, *, predict: bool) -> Callable[..., Any]:
    """The scores of a chunk of rows."""

    def score(*columns: Any) -> Any:
        arrays = {
            feature.name: array_of(column.combine_chunks() if hasattr(column, "combine_chunks") else column)
            for feature, column in zip(model.features, columns, strict=True)
        }
        values = model.of_table(Table(arrays, model.features), predict=predict)
        return arrow_doubles(values)

    # DuckDB compares the number of parameters with that of the types.
    parameters = [Parameter(f"column_{place}", Parameter.POSITIONAL_ONLY) for place in range(len(model.features))]
    score.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return score
