"""The model: terms, intercept and link over named features, with its strict JSON form."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol, TypeAlias

import msgspec
import numpy as np
import numpy.typing as npt

from curvec import edit
from curvec.checks import as_path, check, check_flag
from curvec.columns import check_aligned, weights_or_ones
from curvec.compiled import CompiledModel
from curvec.data import Table
from curvec.display import Displayed
from curvec.errors import InputError, shown, with_article
from curvec.evaluate import term_values
from curvec.files import write_file
from curvec.ir import (
    Feature,
    Node,
    Term,
    changed,
    features_of,
    is_offset,
    json_form,
    labels_of,
    merged_terms,
    names_of,
    number,
    offset,
    sequence,
    terms_tuple,
    text,
    walk,
)
from curvec.links import link
from curvec.metrics import default_metric
from curvec.metrics import metric as metric_of
from curvec.score_stream import scores
from curvec.spelling import decimal_of, places_of, quoted, rounded, shortest, to_decimals
from curvec.transforms import FloatArray
from curvec.verified import VerifiedModel, is_asked_for

VERSION: Literal[1] = 1

UNNAMED = "model"
"""The name of a model that has none of its own, such as a model of one curve."""


class CurveModel(Displayed, msgspec.Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """A sum of terms.

    Attributes:
        name: the name, also of the emitted code.
        terms: the terms, in the order in which they are added; none in a model that is a constant.
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
        terms = terms_tuple(self.terms, f"model {self.name!r}", least=0)
        fields = {
            "terms": terms,
            "intercept": number(self.intercept, "the intercept"),
            "features": _features(_listed(self.features), terms),
        }
        for field, value in fields.items():
            msgspec.structs.force_setattr(self, field, value)

    @property
    def numbers_to_read(self) -> int:
        """How many numbers a reader of the listing has to take in: the intercept, and those of every term.

        A point is two, a yes/no one; see :attr:`curvec.ir.Node.numbers_to_read`.
        """
        return 1 + sum(term.numbers_to_read for term in self.terms)

    def __str__(self) -> str:
        """The listing that a reviewer reads, a term a line: the Python expression that builds the model.

        Arguments at their default are left out, and so are features that follow from the terms.
        """
        note = [f"    note={quoted(self.note)},"] if self.note else []
        terms = [f"        {term}," for term in self.terms]
        name = f"    name={quoted(self.name)},"
        intercept = [f"    intercept={shortest(self.intercept)},"] if self.intercept else []
        link = [] if self.link == "identity" else [f"    link={quoted(self.link)},"]
        features = [] if self.features_follow else [f"    features=[{', '.join(map(str, self.features))}],"]
        end = [*intercept, *link, *features]
        return "\n".join(["CurveModel(", name, *note, "    terms=[", *terms, "    ],", *end, ")"])

    def table(self, data: Any) -> Table:
        """The model's columns of ``data``, checked (see :class:`curvec.data.Table`)."""
        return Table(data, self._used_features(), self._column_order)

    @property
    def _column_order(self) -> list[str] | None:
        """The names of an array's columns: the features, if they were listed or there is only one; else None."""
        # Features that follow from the terms have the terms' order, which a reviewer may change.
        known = len(self.features) == 1 or not self.features_follow
        return [feature.name for feature in self.features] if known else None

    def _used_features(self) -> list[Feature]:
        used = set(names_of(*self.terms))
        return [feature for feature in self.features if feature.name in used]

    def eval(self, data: Any) -> FloatArray:
        """(rows,) raw scores, before the link; NaN where a missing value has no value of its own.

        Args:
            data: a mapping of arrays; a pandas, polars or pyarrow frame; a list of dicts, each a row; a structured
                array; or a (rows, features) array, if the model lists its features, in their order. Or a
                stream, read in batches, of which only the scores are kept: a path of Parquet or CSV files, a folder
                or a glob of them; a pyarrow dataset, scanner, batch or reader; a polars lazy frame; a DuckDB
                relation; an ibis table (:func:`curvec.rows.stream_of`).

        Raises:
            InputError: a column is missing, ragged or of the wrong type, or nothing says what an array's columns are;
                the message names it, and of a stream the file and the row.
            MissingDependencyError: a stream needs the extra ``sql``.

        """
        return self.compile().eval(data)

    def predict(self, data: Any) -> FloatArray:
        """(rows,) predictions: the inverse link of the raw score. Arguments and errors as :meth:`eval`."""
        return self.compile().predict(data)

    def contributions(self, data: Any) -> FloatArray:
        """(rows, terms) one column a term. Arguments and errors as :meth:`eval`."""
        return self.compile().contributions(data)

    def evaluate(
        self,
        X: Any,  # noqa: N803  the field's name for the data
        y: npt.ArrayLike | str,
        metric: Any = None,
        w: npt.ArrayLike | str | None = None,
        query: npt.ArrayLike | str | None = None,
    ) -> float:
        """How good the model is on labelled rows.

        Args:
            X: the rows, as in :meth:`eval`.
            y: (rows,) labels, or the name of their column in ``X``; so are weights and query ids.
            metric: a name of :data:`curvec.metrics.METRICS`, "ndcg@k", a :class:`curvec.metrics.Metric`, or a function
                (y, prediction) -> float. None: "roc_auc" for a link "logit", "rmse" for others.
            w: (rows,) weights, or None for equal ones.
            query: (rows,) query ids, for a metric over queries.

        Raises:
            InputError: as :meth:`eval`; a row has no score; or labels, weights and metric do not suit each other.

        """
        check_aligned(X=X, y=y, w=w, query=query)
        judge = metric_of(default_metric(self.link) if metric is None else metric)
        labelling: list[Any] = [y, w, query]
        names = list(dict.fromkeys(given for given in labelling if isinstance(given, str)))
        if names:  # a stream may be read but once: for the scores and these columns together
            rows = self.score(X, keep=names).read_all()
            score = rows["score"].to_numpy()
            labelling = [rows[given].to_numpy() if isinstance(given, str) else given for given in labelling]
        else:
            score = self.eval(X)
        return judge.of_score(score, link(self.link).inverse, *labelling)

    def score(self, data: Any, *, terms: bool = False, keep: Sequence[str] = ()) -> Any:
        """The scores of a stream of rows as a stream, computed batch by batch when they are read, on all cores.

        Args:
            data: as for :meth:`eval`, but for lists of dicts and arrays without names.
            terms: whether each term's value is given too, in a column of the term's name (:attr:`term_names`).
            keep: columns of the data to pass through, an id for instance; they come first.

        Returns:
            A ``pyarrow.RecordBatchReader`` with the columns of ``keep``, the doubles ``score`` (as :meth:`eval`) and
            ``prediction`` (as :meth:`predict`), null where they are missing, and the terms.

        Raises:
            InputError: as :meth:`eval`, some of it when a batch is read; or two columns would have one name.
            MissingDependencyError: pyarrow is not installed.

        """
        check_flag("terms", terms)
        return scores(self.compile(), data, names=self.term_names if terms else (), keep=keep)

    def score_row(self, row: Mapping[str, Any]) -> float:
        """The raw score of one row: feature name to value, None or NaN where it is missing.

        Raises:
            InputError: a feature is not there, or its value is of the wrong type; the message names it.

        """
        return self.compile().score_row(row)

    def predict_row(self, row: Mapping[str, Any]) -> float:
        """The prediction for one row. Arguments and errors as :meth:`score_row`."""
        return self.compile().predict_row(row)

    def contributions_row(self, row: Mapping[str, Any]) -> dict[str, float]:
        """What each term adds to one row's raw score, apart from the intercept: reason codes.

        The keys are :attr:`term_names`. Arguments and errors as :meth:`score_row`.
        """
        return dict(zip(self.term_names, self.compile().contributions_row(row), strict=True))

    def __getitem__(self, name: str) -> Any:  # a term, of a kind that its reader knows and a type checker cannot
        """The term of that name, one of :attr:`term_names`: ``model["age"]``.

        Raises:
            InputError: no term is called so; the message lists the names.

        """
        names = self.term_names
        if not isinstance(name, str) or name not in names:
            raise InputError(f"model {self.name!r} has no term {shown(name)}; it has {', '.join(map(repr, names))}")
        return self.terms[names.index(name)]

    def term(self, name: str) -> Any:
        """The term of that name, as ``model[name]``."""
        return self[name]

    def __iter__(self) -> Iterator[str]:
        """The names of the terms, in their order."""
        return iter(self.term_names)

    def keys(self) -> list[str]:
        """The names of the terms, as a mapping has them: ``dict(model)`` has each term by its name."""
        return self.term_names

    @property
    def term_names(self) -> list[str]:
        """The names of the terms, all different: ``age``, ``age * degree``, ``age (2)`` for a second term of age."""
        return labels_of(self.terms)

    @property
    def features_follow(self) -> bool:
        """Whether the features are those of the terms, in the terms' order, so that a listing can leave them out."""
        return self.features == _features((), self.terms)

    def compile(self) -> CompiledModel:
        """The model as a program of the compiled core, for one row at a time or for threads; made once and kept.

        With ``CURVEC_VERIFY=1`` in the environment each number is compared with the reference's when it is made.
        """
        compiled: CompiledModel | None = self.__dict__.get("compiled")
        if compiled is None:
            json = json_form.packed(ModelFile(VERSION, self))
            made_of = json, self._used_features(), self._column_order
            if is_asked_for():
                compiled = VerifiedModel(*made_of, tuple(self.terms), self.intercept, self.link)
            else:
                compiled = CompiledModel(*made_of)
            self.__dict__["compiled"] = compiled  # beside the fields: no part of the value, of its JSON or its hash
        return compiled

    def cap(self, feature: str, *, above: float | None = None, below: float | None = None) -> CurveModel:
        """The model in which values of a numeric feature above (below) a bound count as the bound.

        Every curve of the feature becomes constant there, at its own value at the bound, rounded to the decimals that
        the curve's values have, or to three digits of their range where that is finer.

        Raises:
            InputError: no term uses the feature, no bound or bounds out of order are given, a bound changes nothing,
                the feature is one of categories, or a line is capped on one side only.

        """
        bounds = edit.Bounds(feature, below, above)
        self._check_used(feature)
        return changed(self, terms=edit.capped(self.terms, bounds))

    def drop(self, feature: str, *, recentre: Any = None, weights: Any = None) -> CurveModel:
        """The model without a feature: terms, factors' sums and interactions that use it go, and so does its column.

        A product loses the feature as a whole where a factor is the feature's own; a sum loses the parts that use it.

        Args:
            feature: the feature's name.
            recentre: a table of rows; the mean over them of what was dropped goes into the intercept, so that the
                mean raw score stays, to half a unit of the last decimal place that the model's values have (or of
                three digits of their range, where that is finer).
            weights: of those rows; equal without.

        Raises:
            InputError: the model does not have the feature, nothing would be left, or what was dropped has no finite
                mean.

        """
        check("feature", feature, "pass the feature's name", holds=isinstance(feature, str))
        if all(column.name != feature for column in self.features):
            self._check_used(feature)
        left = [edit.without(term, feature) for term in self.terms]
        terms = [term for term in left if term is not None]
        if not terms:
            raise InputError(f"every term uses {shown(feature)}; nothing would be left without it")
        intercept = self.intercept
        if recentre is not None:
            printed = [self.intercept, *(value for node in walk(*self.terms) for value in node.coefficients)]
            change = self._mean_change(left, recentre, weights, feature)
            intercept = to_decimals(intercept + change, places_of(printed))
        features = [column for column in self.features if column.name != feature]
        return changed(self, terms=terms, intercept=intercept, features=features)

    def drop_unused(self) -> CurveModel:
        """The model without the columns that no term uses: emitted functions no longer ask for them."""
        used = set(names_of(*self.terms))
        return changed(self, features=[column for column in self.features if column.name in used])

    def rename(self, features: Mapping[str, str]) -> CurveModel:
        """The model with other names for some features, in their places; it computes the same.

        Args:
            features: old name -> new name; two may change places.

        Raises:
            InputError: the model does not have a feature, no name changes, or two features would have the same name.

        """
        names = isinstance(features, Mapping) and all(isinstance(name, str) for name in features.values())
        check("features", features, "give {old name: new name}", holds=names)
        own = dict.fromkeys(column.name for column in self.features)
        for name in features:
            if name not in own:
                raise InputError(
                    f"model {self.name!r} has no feature {shown(name)}; it has {', '.join(map(repr, own))}"
                )
        if all(old == new for old, new in features.items()):
            raise InputError(f"features={shown(dict(features))} renames no feature; give {{old name: new name}}")
        named = [features.get(name, name) for name in own]
        twice = [name for name, count in Counter(named).items() if count > 1]
        if twice:
            raise InputError(f"two features would be called {shown(twice[0])}; names must differ")
        columns = [changed(column, name=name) for column, name in zip(self.features, named, strict=True)]
        return changed(self, terms=[edit.renamed(term, features) for term in self.terms], features=columns)

    def with_offset(self, feature: str, fx: Literal["identity", "log"] = "identity") -> CurveModel:
        """The model with a column added to the raw score, in every target: an offset, which no fit changes.

        ``model.with_offset("years", fx="log")`` makes expected counts of a model of rates: the exposure multiplies the
        prediction; ``model.with_offset("earlier")`` adds a column as it is, such as the score of an earlier model. That
        is a line of coefficient 1 whose note begins with "offset"; without the note it is a line like any other.

        Args:
            feature: the column, a number. A row where it is missing has no score.
            fx: "log" adds the column's logarithm, for which 0 or less counts as 1e-300; "identity" the column.

        Raises:
            InputError: fx is neither, or "log" and the link is not, where it would multiply nothing; or the model has
                this offset, which would count twice.

        """
        check("feature", feature, "pass the column's name", holds=isinstance(feature, str))
        term = offset(feature, fx)
        if term in self.terms:
            raise InputError(f"model {self.name!r} has the offset {shown(feature)} already, which would count twice")
        if fx == "log" and self.link != "log":
            raise InputError(
                f"fx='log': the column multiplies the prediction where the link is 'log'; model {self.name!r} has the "
                f"link {self.link!r}"
            )
        added = CurveModel(self.name, [term], link=self.link)
        return changed(self, terms=[*self.terms, *added.terms], features=self._features_with(added))

    def plus(self, other: CurveModel, *, name: str | None = None) -> CurveModel:
        """The model whose raw score is the sum of both, terms of one kind and one feature merged into one.

        For the link "log" the predictions multiply: the frequency of claims and their size make the cost. Values
        are those of both up to the rounding of the numbers that are added.

        Args:
            other: a model of the same link.
            name: what the sum is called; None for this model's name.

        Raises:
            InputError: the links differ, a feature is a number to one model and a category to the other, or both have
                the same offset.

        """
        check_model(other)
        if other.link != self.link:
            raise InputError(
                f"model {self.name!r} has the link {self.link!r} and model {other.name!r} {other.link!r}; raw scores "
                "add up where the links are the same"
            )
        for term in self.terms:
            if is_offset(term) and term in other.terms:
                raise InputError(
                    f"model {self.name!r} and model {other.name!r} both have the offset {shown(term.feature)}, and the "
                    "sum would count it twice; drop it from one of them"
                )
        return CurveModel(
            self.name if name is None else name,
            merged_terms([*self.terms, *other.terms]),
            decimal_of(self.intercept + other.intercept, self.intercept, other.intercept),
            self.link,
            self._features_with(other),
            "; ".join(note for note in (self.note, other.note) if note),
        )

    def _features_with(self, other: CurveModel) -> tuple[Feature, ...]:
        """The features of both, each with a type that suits both; () where they follow from the terms."""
        if self.features_follow and other.features_follow:
            return ()
        types = {column.name: column for column in self.features}
        for column in other.features:
            if not _fits(types.setdefault(column.name, column), column):
                types[column.name] = column
        return tuple(types.values())

    def replace(self, what: str | Term, term: Term) -> CurveModel:
        """The model with one term replaced, in its place.

        Args:
            what: a feature, which one term must use and no other; or the term itself.
            term: the new term. Features that it brings are added behind the model's own.

        Raises:
            InputError: no term, or more than one, is meant, or the new term is the old one.

        """
        if isinstance(what, str):
            found = [k for k, old in enumerate(self.terms) if names_of(old) == [what]]
            name = f"the feature {shown(what)}"
        else:
            check("what", what, "pass a feature's name, or the term itself", holds=isinstance(what, Node))
            found = [k for k, old in enumerate(self.terms) if old == what]
            name = f"the term {shown(what)}"
        if len(found) != 1:
            raise InputError(f"{len(found)} terms of model {self.name!r} are of {name} alone; name one term")
        check("term", term, "pass a term", holds=isinstance(term, Node))
        if self.terms[found[0]] == term:
            raise InputError(f"the new term is the old one, {term}; nothing would change")
        terms = [*self.terms[: found[0]], term, *self.terms[found[0] + 1 :]]
        known = {column.name for column in self.features}
        # An integer table in place of a numeric curve, say, changes the type that the column is listed with.
        used = {column.name: column for column in CurveModel(self.name, terms).features}
        stay = [column if _fits(column, used.get(column.name)) else used[column.name] for column in self.features]
        added = [column for column in used.values() if column.name not in known]
        return changed(self, terms=terms, features=[*stay, *added])

    def round(self, digits: int) -> CurveModel:
        """The model with the numbers of its terms and its intercept at no more than ``digits`` significant digits.

        Raises:
            InputError: digits is not 1 to 17, or rounded points fall together or leave the domain of fx.

        """
        terms = [term.round(digits) for term in self.terms]
        return changed(self, terms=terms, intercept=rounded(self.intercept, digits))

    def _check_used(self, feature: str) -> None:
        used = names_of(*self.terms)
        if not isinstance(feature, str) or feature not in used:
            names = ", ".join(map(repr, sorted(used))) or "none"
            raise InputError(f"no term of model {self.name!r} uses {shown(feature)}; it uses {names}")

    def _mean_change(self, left: Sequence[Term | None], rows: Any, weights: Any, feature: str) -> float:
        """The weighted mean over rows of the terms less what is left of each (None: nothing)."""
        check_aligned(recentre=rows, weights=weights)
        table = self.table(rows)
        change = np.zeros(table.rows)
        for before, after in zip(self.terms, left, strict=True):
            if before is not after:
                change += term_values(before, table)
                change -= 0.0 if after is None else term_values(after, table)
        mean = float(np.average(change, weights=weights_or_ones(weights, table.rows)))
        if not math.isfinite(mean):
            raise InputError(
                f"the mean of the terms of {shown(feature)} over these rows is {mean}; declare their missing values"
            )
        return mean

    def to_json(self) -> str:
        """The file form: versioned, strict JSON; every number keeps its exact double."""
        return json_form.written(ModelFile(VERSION, self))

    def save(self, path: str | Path) -> None:
        """Write :meth:`to_json` to a .json file; :func:`curvec.load` reads it back.

        Raises:
            InputError: the file cannot be written, or its suffix says that it is no JSON.

        """
        path = as_path(path)
        if path.suffix != ".json":
            raise InputError(
                f"{path}: a model file is JSON, so its name ends in .json; curvec.emit makes code of a model"
            )
        write_file(path, self.to_json())


class Fitted(Protocol):
    """Anything that has a curve, such as a fit."""

    @property
    def curve(self) -> Term:
        """The curve."""


ModelLike: TypeAlias = CurveModel | Term | Fitted
"""A model; or a curve, or the fit of one, which stands for a model with that one term."""


def as_model(value: ModelLike) -> CurveModel:
    """A model unchanged; a curve, another term or a fit as the model with that term alone.

    Raises:
        InputError: it is none of these.

    """
    if isinstance(value, CurveModel):
        return value
    term: Any = getattr(value, "curve", value)
    if not isinstance(term, Node):
        check_model(value)
    return CurveModel(UNNAMED, [term])


def check_model(model: Any) -> None:
    """Refuse a value that is not a model.

    Raises:
        InputError: it is something else; a result that has one says so.

    """
    if not isinstance(model, CurveModel):
        where = inside(model)
        way = f"pass its {where}" if where else "curvec.read_teacher makes one of what it can read"
        raise InputError(f"{with_article(type(model).__name__)} is no CurveModel; {way}")


def inside(value: Any) -> str:
    """Where a result, an estimator, a pipeline of scikit-learn's or a search has its model; empty where it has none."""
    path = ""
    if hasattr(value, "best_estimator_"):
        path, value = ".best_estimator_", value.best_estimator_
    if isinstance(steps := getattr(value, "steps", None), list) and steps:
        path, value = f"{path}[-1]", steps[-1][1]
    held = [name for name in ("model", "model_") if isinstance(getattr(value, name, None), CurveModel)]
    return f"{path}.{held[0]}" if held else ""


class ModelFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a model's JSON file holds: the version of its form, and the model."""

    curvec: Literal[1]
    model: CurveModel


def from_json(source: str, origin: str = "JSON") -> CurveModel:
    """The model of a JSON text.

    Raises:
        InputError: not JSON, a duplicate key, a number outside the doubles, an unknown field or version, or a rule
            of the model is broken; the message says where.

    """
    if not source.strip():
        raise InputError(f"{origin}: the file is empty")
    try:
        return json_form.read(source, ModelFile).model
    except (ValueError, msgspec.ValidationError, RecursionError) as error:  # a ValueError for integers of many digits
        newer = re.match(r'\s*\{\s*"curvec"\s*:\s*(\d{1,9})\b', source)
        if newer and int(newer[1]) > VERSION:
            raise InputError(
                f"{origin}: a model file of version {newer[1]}, and this release of curvec reads version {VERSION}; "
                "install a newer curvec"
            ) from None
        raise InputError(f"{origin}: {error}") from None


def json_schema() -> dict[str, Any]:
    """The JSON Schema of the file form."""
    return {"$schema": json_form.DRAFT, "title": "curvec model", **json_form.schema_of(ModelFile)}


def _fits(listed: Feature, used: Feature | None) -> bool:
    """Whether a column may be listed with one type and used with another; integers may be read as numbers."""
    return used is None or used.type == listed.type or (listed.type, used.type) == ("int", "number")


def _listed(given: Any) -> tuple[Feature, ...]:
    features = sequence(given, "the features")
    for feature in features:
        if not isinstance(feature, Feature):
            raise InputError(f"the features hold {shown(feature)}; each must be a Feature")
    return features


def _features(given: tuple[Feature, ...], terms: Sequence[Term]) -> tuple[Feature, ...]:
    used: dict[str, Feature] = {}
    for place, term in enumerate(terms):
        for feature in features_of(term):
            earlier = used.setdefault(feature.name, feature)
            if earlier.type != feature.type and {earlier.type, feature.type} != {"int", "number"}:
                message = f"feature {feature.name!r} is used as {earlier.type} and as {feature.type}; use one type"
                raise InputError(message).at("terms", place)
            if feature.type == "int":
                used[feature.name] = feature  # integer categories may also be read as a number
    if not given:
        return tuple(used.values())
    listed = {feature.name: feature for feature in given}
    if len(listed) < len(given):
        raise InputError(f"a feature is listed twice among {shown([feature.name for feature in given])}")
    for name, feature in used.items():
        if name not in listed:
            raise InputError(f"feature {shown(name)} is used by a term and not listed in features")
        if not _fits(listed[name], feature):
            raise InputError(f"feature {shown(name)} is listed as {listed[name].type} and used as {feature.type}")
    return given
