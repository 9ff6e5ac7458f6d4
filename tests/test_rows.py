"""Streams of rows: every form gives what the rows give in memory; what is wrong is said with its file and row."""

from __future__ import annotations

import datetime as dt
import math
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import curvec
from curvec import CurvecError, CurveModel, EnumCurve, InputError, Line, MissingDependencyError, PWLCurve, StepCurve
from curvec.rows import stream_of
from curvec.rows.arrow import array_of
from curvec.rows.spark import SparkRows

pa = pytest.importorskip("pyarrow")
duckdb = pytest.importorskip("duckdb")
dataset = pytest.importorskip("pyarrow.dataset")
parquet = pytest.importorskip("pyarrow.parquet")

MODEL = CurveModel(
    "claims",
    [
        PWLCurve("a", [(0, 0), (1, 2), (3, 1)], missing=0.5),
        EnumCurve("c", {"x": 1.0, "y": 2.0}, default=0.0, missing=-1.0),
        EnumCurve("i", {1: 1.0, 2: 3.0}, default=0.25, missing=0.125),
        StepCurve("d", [0.5, 2], [1, 2, 3], missing=9),
        EnumCurve("b", {True: 1.0, False: 0.5}, missing=0.75),
    ],
    intercept=0.1,
    link="logit",
)
ROWS = 1000


@pytest.fixture(scope="module")
def plain() -> dict[str, list[Any]]:
    """The rows as Python's own values, with gaps everywhere."""
    r = np.random.default_rng(0)
    columns: dict[str, list[Any]] = {
        "id": list(range(ROWS)),
        "a": r.normal(1, 2, ROWS).tolist(),
        "c": r.choice(["x", "y", "other"], ROWS).tolist(),
        "i": r.integers(0, 4, ROWS).tolist(),
        "d": [Decimal(cents) / 100 for cents in r.integers(0, 300, ROWS).tolist()],
        "b": (r.random(ROWS) < 0.5).tolist(),
    }
    for step, name in enumerate("acidb", start=5):
        columns[name] = [None if row % step == 0 else value for row, value in enumerate(columns[name])]
    return columns


@pytest.fixture(scope="module")
def table(plain: dict[str, list[Any]]) -> Any:
    made = pa.table({**plain, "d": pa.array(plain["d"], pa.decimal128(9, 2))})
    return made.set_column(2, "c", made["c"].dictionary_encode())


@pytest.fixture(scope="module")
def folder(table: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("rows")
    (path / "later").mkdir()
    parquet.write_table(table.slice(0, 300), path / "a.parquet", row_group_size=100)
    parquet.write_table(table.slice(300, 0), path / "b.parquet")
    parquet.write_table(table.slice(300), path / "later" / "c.parquet", row_group_size=200)
    return path


def lazy_frame(table: Any, _: Path) -> Any:
    return pytest.importorskip("polars").from_arrow(table).lazy()


def ibis_table(table: Any, _: Path) -> Any:
    ibis, polars = pytest.importorskip("ibis"), pytest.importorskip("polars")
    pytest.importorskip("pyarrow_hotfix")
    return ibis.polars.connect({"t": polars.from_arrow(table)}).table("t")


def narrow(table: Any, _: Path) -> Any:
    """Small integers and single floats, large text, no dictionary."""
    types = {"id": pa.uint16(), "i": pa.int8(), "c": pa.large_string()}
    fields = [pa.field(field.name, types.get(field.name, field.type)) for field in table.schema]
    return table.cast(pa.schema(fields)).to_reader(max_chunksize=77)


FORMS: dict[str, Callable[[Any, Path], Any]] = {
    "folder": lambda _, folder: folder,
    "glob": lambda _, folder: f"{folder}/**/*.parquet",
    "files": lambda _, folder: [folder / "a.parquet", folder / "b.parquet", folder / "later" / "c.parquet"],
    "dataset": lambda _, folder: dataset.dataset(folder),
    "scanner": lambda _, folder: dataset.dataset(folder).scanner(batch_size=130),
    "reader": lambda table, _: table.to_reader(max_chunksize=130),
    "batch": lambda table, _: table.combine_chunks().to_batches()[0],
    "relation": lambda table, _: duckdb.connect().from_arrow(table),
    "lazy frame": lazy_frame,
    "ibis": ibis_table,
    "narrow": narrow,
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_scores_as_in_memory(form: str, plain: dict[str, list[Any]], table: Any, folder: Path) -> None:
    make = FORMS[form]
    assert np.array_equal(MODEL.eval(make(table, folder)), MODEL.eval(plain))
    assert np.array_equal(MODEL.predict(make(table, folder)), MODEL.predict(plain))
    assert np.array_equal(MODEL.contributions(make(table, folder)), MODEL.contributions(plain))


def test_a_csv_file_scores_as_in_memory(plain: dict[str, list[Any]], tmp_path: Path) -> None:
    lines = [
        ",".join("" if value is None else str(value) for value in row) for row in zip(*plain.values(), strict=True)
    ]
    for name, some in (("a", lines[:400]), ("b", lines[400:])):
        (tmp_path / f"{name}.csv").write_text("\n".join([",".join(plain), *some, ""]))
    assert np.array_equal(MODEL.eval(str(tmp_path)), MODEL.eval(plain))


def test_scores_refuse_two_columns_of_one_name(folder: Path) -> None:
    with pytest.raises(InputError, match="two columns would be called 'a'"):
        MODEL.score(folder, terms=True, keep=["a"])


def test_scores_keep_an_id(plain: dict[str, list[Any]], folder: Path) -> None:
    found = MODEL.score(folder, terms=True, keep=["id"]).read_all()
    assert found.schema.names == ["id", "score", "prediction", "a", "c", "i", "d", "b"]
    assert found["id"].to_pylist() == plain["id"]
    assert np.array_equal(found["score"].to_numpy(), MODEL.eval(plain))
    assert np.array_equal(found["prediction"].to_numpy(), MODEL.predict(plain))
    terms = np.column_stack([found[name].to_numpy() for name in MODEL.term_names])
    assert np.array_equal(terms, MODEL.contributions(plain))


def test_labels_and_weights_may_be_columns_of_the_rows(plain: dict[str, list[Any]], table: Any, folder: Path) -> None:
    numbers = np.array(plain["id"], float)
    expected = MODEL.evaluate(plain, numbers, "rmse", numbers)
    for rows in (folder, table.to_reader(max_chunksize=130), table, plain):
        assert MODEL.evaluate(rows, "id", "rmse", w="id") == expected
    with pytest.raises(InputError, match="'label'"):
        MODEL.evaluate(folder, "label", "rmse")


def test_a_missing_score_is_null() -> None:
    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])])
    assert model.score({"a": [0.5, None]}).read_all()["score"].to_pylist() == [0.5, None]


def test_a_model_without_features_scores_every_row(folder: Path) -> None:
    assert np.array_equal(CurveModel("m", [], intercept=2.0).eval(folder), np.full(ROWS, 2.0))


def test_an_empty_stream_has_no_scores(table: Any) -> None:
    empty = table.schema.empty_table()
    assert MODEL.eval(empty.to_reader()).shape == (0,)
    assert MODEL.contributions(empty.to_reader()).shape == (0, 5)
    assert len(MODEL.score(empty.to_reader()).read_all()) == 0


@pytest.mark.parametrize("kind", [pa.decimal128(15, 4), pa.decimal128(30, 4)])
def test_decimals_are_the_doubles_nearest_to_them(kind: Any) -> None:
    values = [Decimal(n) / 10000 for n in (0, 1, -1, 3, 123456789012345, -999999999999999, 1234567)] + [None]
    found = array_of(pa.array(values, kind).slice(1))
    want = [np.nan if value is None else float(value) for value in values[1:]]
    assert np.array_equal(np.array([np.nan if v is None else float(v) for v in found.tolist()]), want, equal_nan=True)


def many_files(folder: Path, write: Callable[[Path, list[Any]], None], wrong: list[Any]) -> None:
    for number in range(1, 61):
        write(folder / f"part-{number:02}", wrong if number == 50 else [1.0, 2.0, 3.0])


def test_text_among_numbers_of_the_fiftieth_csv_file(tmp_path: Path) -> None:
    def write(path: Path, values: list[Any]) -> None:
        path.with_suffix(".csv").write_text("\n".join(["a", *map(str, values), ""]))

    many_files(tmp_path, write, [1.0, "two", 3.0])
    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])])
    with pytest.raises(InputError, match=r"part-50\.csv: line 3: 'two' in column 'a', which the first rows say"):
        model.eval(tmp_path)


def test_text_in_a_number_column_of_the_fiftieth_parquet_file(tmp_path: Path) -> None:
    def write(path: Path, values: list[Any]) -> None:
        parquet.write_table(pa.table({"a": values}), path.with_suffix(".parquet"))

    many_files(tmp_path, write, ["1", "two", "3"])
    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])])
    with pytest.raises(
        InputError, match=r"part-50\.parquet: column 'a' is string from row 0 on, and double in the first rows"
    ):
        model.eval(tmp_path)


def test_a_bad_value_is_named_by_its_file_and_the_row_in_it(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"i": [1, 2]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"i": [1] * 700 + [2**60]}), tmp_path / "b.parquet", row_group_size=500)
    model = CurveModel("m", [PWLCurve("i", [(0, 0), (1, 1)])])
    with pytest.raises(InputError, match=rf"b\.parquet: column 'i', row 700: {2**60} is beyond 2\^53"):
        model.eval(tmp_path)


def test_a_column_that_a_later_file_lacks(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": [1.0], "z": [1]}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"z": [1]}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"b\.parquet: column 'a' is missing from the data \(it has 'z'\)"):
        CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]).eval(tmp_path)


def test_a_dataset_names_the_file_that_lacks_a_column(tmp_path: Path) -> None:
    for year in (2025, 2026):
        (tmp_path / f"year={year}").mkdir()
        parquet.write_table(pa.table({"x": [1.0], "n": [year]}), tmp_path / f"year={year}" / "a.parquet")
    whole = dataset.dataset(tmp_path, partitioning="hive")
    model = CurveModel("m", [Line("x", 1.0), Line("year", 1.0)])
    assert sorted(model.eval(whole).tolist()) == [2026.0, 2027.0]
    parquet.write_table(pa.table({"n": [3]}), tmp_path / "year=2026" / "a.parquet")
    with pytest.raises(
        InputError, match=r"year=2026/a.parquet: column 'x' is missing from the data \(it has 'n', 'yea"
    ):
        model.eval(dataset.dataset(tmp_path, schema=whole.schema, partitioning="hive"))


def test_a_column_of_gaps_alone_has_any_type(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": pa.nulls(2)}), tmp_path / "a.parquet")
    parquet.write_table(pa.table({"a": [0.5]}), tmp_path / "b.parquet")
    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)], missing=7.0)])
    assert model.eval(tmp_path).tolist() == [7.0, 7.0, 0.5]


@pytest.mark.parametrize("size", [0, 5, 400])
def test_a_truncated_file_is_named(size: int, table: Any, tmp_path: Path) -> None:
    parquet.write_table(table, tmp_path / "a.parquet")
    whole = (tmp_path / "a.parquet").read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[:size])
    with pytest.raises(InputError, match=r"b\.parquet: cannot be read from row 0 on"):
        MODEL.eval(tmp_path)


def test_a_file_that_breaks_off_inside_its_rows_is_named(tmp_path: Path) -> None:
    values = np.random.default_rng(0).normal(size=20_000)
    parquet.write_table(pa.table({"a": values}), tmp_path / "a.parquet", compression="zstd", use_dictionary=False)
    raw = bytearray((tmp_path / "a.parquet").read_bytes())
    raw[len(raw) // 2 : len(raw) // 2 + 5000] = bytes(5000)
    (tmp_path / "a.parquet").write_bytes(raw)
    with pytest.raises(InputError, match=r"a\.parquet: cannot be read from row \d+ on"):
        CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]).eval(tmp_path)


def test_a_ragged_batch_is_refused() -> None:
    schema = pa.schema([("a", pa.float64())])

    def batches() -> Any:
        yield pa.record_batch({"a": [1.0, 2.0]})
        yield pa.RecordBatch.from_struct_array(
            pa.StructArray.from_buffers(pa.struct(schema), 5, [None], children=[pa.array([1.0])])
        )

    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])])
    with pytest.raises(InputError, match="cannot be read from row 2 on"):
        model.eval(pa.RecordBatchReader.from_batches(schema, batches()))


def test_a_reader_whose_schema_changes_is_refused() -> None:
    schema = pa.schema([("a", pa.float64())])
    batches = iter([pa.record_batch({"a": [1.0]}), pa.record_batch({"a": ["two"]})])
    model = CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])])
    with pytest.raises(InputError, match="column 'a' is string from row 1 on, and double in the first rows"):
        model.eval(pa.RecordBatchReader.from_batches(schema, batches))
    batches = iter([pa.record_batch({"a": [1.0]}), pa.record_batch({"b": [2.0]})])
    with pytest.raises(InputError, match="column 'a' is missing from the data"):
        model.eval(pa.RecordBatchReader.from_batches(schema, batches))
    batches = iter([pa.record_batch({"a": [1.0]}), pa.record_batch({"a": [2**53 + 1]})])
    with pytest.raises(InputError, match="the rows from 1 on are not of the first rows' types"):
        curvec.distill(model, pa.RecordBatchReader.from_batches(schema, batches))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path / "no.parquet", r"no\.parquet: no such file"),
        (lambda path: path, "no .parquet or .csv file in this folder"),
        (lambda path: f"{path}/*.parquet", "no .parquet or .csv file matches"),
        (lambda path: path / "rows.xlsx", r"suffix '\.xlsx' is not a table's"),
        (lambda path: [path / "a.csv", path / "a.parquet"], r"no such file"),
    ],
)
def test_paths_that_lead_nowhere(make: Callable[[Path], Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        MODEL.eval(make(tmp_path))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("b.csv.gz", r"b\.csv\.gz: a \.gz file is not read; unpack it to \.csv"),
        ("b.CSV", r"b\.CSV: a table's name ends in \.csv, in small letters; rename it"),
    ],
)
def test_a_table_is_not_left_out_of_a_folder_in_silence(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(InputError, match=message + ", or name the files to read"):
        stream_of(tmp_path)
    with pytest.raises(InputError, match=message):
        stream_of(tmp_path / name)


def test_notes_beside_the_tables_of_a_folder_are_no_rows(tmp_path: Path) -> None:
    for name in ("_SUCCESS", "readme.txt", ".a.csv.crc"):
        (tmp_path / name).write_bytes(b"")
    (tmp_path / "a.csv").write_text("a\n1\n2\n")
    assert CurveModel("m", [PWLCurve("a", [(0, 0), (4, 4)])]).eval(tmp_path).tolist() == [1, 2]


def test_unfinished_parts_of_a_folder_are_no_rows(tmp_path: Path) -> None:
    """As Spark leaves them when a job is stopped; pyarrow's datasets read none of these either."""
    (tmp_path / "year=2024").mkdir()
    (tmp_path / "_temporary" / "0").mkdir(parents=True)
    for name in ("year=2024/a.parquet", "_temporary/0/b.parquet", "_c.parquet", ".d.parquet"):
        parquet.write_table(pa.table({"a": [1.0, 2.0]}), tmp_path / name)
    assert dataset.dataset(tmp_path).count_rows() == 2
    assert CurveModel("m", [PWLCurve("a", [(0, 0), (4, 4)])]).eval(tmp_path).tolist() == [1, 2]


def test_the_word_that_makes_text_of_a_column_of_numbers_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n2\nNA\n3\n")
    with pytest.raises(InputError, match=r"a\.csv: column 'a', row 2: 'NA' is not a number"):
        CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]).eval(tmp_path)


def test_words_for_yes_and_no_are_text_and_true_and_false_are_not(tmp_path: Path) -> None:
    pairs = {"a": ("T", "F"), "b": (True, False), "c": ("yes", "no"), "d": ("t", "f"), "e": ("Y", "N")}
    scores = {name: 10.0**place for place, name in enumerate(pairs)}
    terms = [EnumCurve(name, {yes: scores[name], no: 0.0}, missing=5.0) for name, (yes, no) in pairs.items()]
    cells = [",".join(str(pair[k]) for pair in pairs.values()) for k in (0, 1)]
    (tmp_path / "a.csv").write_text("\n".join([",".join(pairs), *cells, ",,,,", ""]))
    assert CurveModel("m", terms).eval(tmp_path / "a.csv").tolist() == [11111.0, 0.0, 25.0]


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_csv_file_is_read_as_it_is(separator: str, tmp_path: Path) -> None:
    """No quote is taken off but double ones, no row is a comment or a title, an infinity is no date."""
    texts = ["'x'", "#1", "2020-01-05", 'a"b', "01"]
    model = CurveModel("m", [Line("a"), EnumCurve("k", {text: 10.0 * k for k, text in enumerate(texts)})])
    cells = ["inf", "-inf", "Infinity", "5", "-0.5"]
    file = tmp_path / "a.csv"
    lines = [f"{cell}{separator}{text}" for cell, text in zip(cells, texts, strict=True)]
    file.write_text("\n".join([f"a{separator}k", *lines, ""]))
    assert model.eval(file).tolist() == [math.inf, -math.inf, math.inf, 35.0, 39.5]
    for first, last in [("title", "1,x"), ("a,k", "#1"), ("a,k", "1,x,2"), ("a,k", '1,"x')]:
        file.write_text(f"{first}\n1,x\n2,x\n{last}\n")
        with pytest.raises(InputError, match=r"a\.csv: (the rows are not as the first line|line 4: a cell begins)"):
            model.eval(file)


def test_an_empty_csv_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    (tmp_path / "b.csv").write_text("")
    with pytest.raises(InputError, match=r"b\.csv: the file is empty; a CSV file begins with a line of column names"):
        CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]).eval(tmp_path)


def test_one_column_to_keep_is_a_list_too(folder: Path) -> None:
    with pytest.raises(InputError, match=r"keep='id' is one string; pass a list of names: keep=\['id'\]"):
        MODEL.score(folder, keep="id")


def test_files_of_two_kinds_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("a\n1\n")
    parquet.write_table(pa.table({"a": [1.0]}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"\.csv and \.parquet files together"):
        MODEL.eval(tmp_path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_two_columns_of_one_name_in_a_file_are_refused(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"rows{suffix}"
    if suffix == ".csv":
        path.write_text("a,b,a\n1,2,3\n")
    else:
        parquet.write_table(pa.table([[1.0], [2.0], [3.0]], names=["a", "b", "a"]), path)
    with pytest.raises(InputError, match=rf"rows\{suffix}: two columns are called 'a'; names must differ"):
        CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]).eval(path)
    assert CurveModel("m", [PWLCurve("b", [(0, 0), (4, 4)])]).eval(path).tolist() == [2.0]


def test_two_columns_of_one_name_are_refused() -> None:
    column = pa.array([1.0])
    twice = pa.RecordBatch.from_arrays([column, column], names=["a", "a"])
    with pytest.raises(InputError, match="two columns are called 'a'"):
        CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]).eval(twice)


def test_dates_are_no_numbers(tmp_path: Path) -> None:
    parquet.write_table(pa.table({"a": [dt.date(2020, 1, 1)]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"a\.parquet: column 'a', row 0: .* is not a number"):
        CurveModel("m", [PWLCurve("a", [(0, 0), (1, 1)])]).eval(tmp_path)


@pytest.mark.parametrize("package", ["duckdb", "pyarrow"])
def test_a_missing_extra_is_named(package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = tmp_path / "rows.csv"
    rows.write_text("a\n1\n")
    monkeypatch.setitem(__import__("sys").modules, package, None)
    with pytest.raises(MissingDependencyError, match=re.escape("pip install 'curvec[sql]'")):
        MODEL.eval(rows)


def test_what_can_be_read_again(table: Any, folder: Path) -> None:
    again = {
        form: getattr(stream_of(make(table, folder)), "again", None) for form, make in FORMS.items() if form != "ibis"
    }
    once = {"scanner", "reader", "narrow"}
    assert again == {form: form not in once for form in again}


def test_frames_in_memory_are_no_streams(table: Any, plain: dict[str, list[Any]]) -> None:
    for data in (plain, table, table.to_pandas(), np.zeros((2, 2)), [{"a": 1}], None, 3.0):
        assert stream_of(data) is None


def test_batches_are_bounded_and_say_where_their_rows_are(folder: Path) -> None:
    stream = stream_of(folder)
    assert stream is not None
    assert stream.names() == ["id", "a", "c", "i", "d", "b"]
    rows = 0
    for batch in stream.batches(["id"]):
        assert batch.columns["id"].tolist() == list(range(rows, rows + batch.rows))
        assert Path(batch.place.origin).suffix == ".parquet"
        assert batch.place.first == rows - (300 if batch.place.origin.endswith("c.parquet") else 0)
        rows += batch.rows
    assert rows == ROWS


def test_an_error_of_a_lazy_frame_names_its_files(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    (tmp_path / "a.csv").write_text("x\n1\n")
    (tmp_path / "b.csv").write_text("x\nmany\n")
    frame = polars.scan_csv([tmp_path / "a.csv", tmp_path / "b.csv"], infer_schema_length=1)
    model = CurveModel("m", [PWLCurve("x", [(0, 0), (1, 1)])])
    with pytest.raises(InputError, match=r"^the lazy frame of .*a\.csv, .*b\.csv: .*'many' is not a number"):
        model.score(frame).read_all()
    with pytest.raises(InputError, match=r"^cannot be read from row 0 on: .*none\.csv"):
        model.score(polars.scan_csv(tmp_path / "none.csv")).read_all()
    assert model.score(polars.scan_csv(tmp_path / "a.csv")).read_all()["score"].to_pylist() == [1.0]


@pytest.mark.parametrize(
    ("name", "said"), [("curvec", "have no curvec; .* pip install"), ("curvec.rows", "another version of curvec")]
)
def test_executors_without_the_drivers_curvec_are_told_apart(name: str, said: str) -> None:
    error = type("PythonException", (Exception,), {"__module__": "pyspark.errors"})

    class Frame:
        columns = ("a",)

        def toDF(self, *_names: str) -> Any:  # noqa: N802  Spark's name
            raise error(f"Traceback ...\nModuleNotFoundError: No module named '{name}'")

    with pytest.raises(CurvecError, match=said):
        SparkRows(Frame()).sample(1)
