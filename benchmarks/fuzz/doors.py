"""Fuzz every door by which a file or a word of a stranger's comes in.

    python benchmarks/fuzz/doors.py --seconds 3600 [--door xgboost.ubj] [--seed 0]

Each try is a valid file of its format with a few places changed: in a document, values, keys and lengths of lists; in a
text, words, lines and digits; in bytes, bits, lengths and the end. What must hold:

- what comes of it is a result or an error of curvec's own, of at most 2,000 characters, within ten seconds;
- what is read can be used: a model is written and read back as itself, and scores a row.

Needs the extras ``teachers`` and ``sql``. A finding is printed with the seed that shows it again, and its file is kept.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import io
import json
import os
import random
import resource
import struct
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

import curvec
from curvec import CurvecError, CurveModel, EnumCurve, Line, Product, PWLCurve, StepCurve, Sum
from curvec.cli import main as command_line
from curvec.model import from_json
from curvec.read import from_python
from curvec.review.policy import read_policy

Dice = random.Random
LONGEST, SLOWEST = 2000, 10.0


@dataclass(frozen=True)
class Door:
    """A way in.

    Attributes:
        suffix: of the files.
        seeds: folder -> contents of valid files.
        change: one content with a few places changed.
        enter: what a user does with the file; what it gives is what comes of it.

    """

    suffix: str
    seeds: Callable[[Path], list[bytes]]
    change: Callable[[bytes, Dice], bytes]
    enter: Callable[[Path], Any]


# What is changed.

WORDS = [
    "",
    "0",
    "-1",
    "1",
    "nan",
    "inf",
    "-inf",
    "1e999",
    "9" * 400,
    "9" * 5000,
    "0x10",
    "1_0",
    "true",
    "null",
    "é",
    "\0",
]
WORDS += [
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "=",
    '"',
    "\\",
    "\n",
    "a" * 70_000,
    "2147483648",
    "-9223372036854775809",
    "1e-400",
]
VALUES: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2,
    2**31,
    2**53 + 1,
    -(2**63) - 1,
    10**320,
    10**4299,
    0.5,
    -0.0,
    1e308,
    5e-324,
]
VALUES += [
    float("inf"),
    float("nan"),
    "",
    "x",
    "1",
    "nan",
    "9" * 5000,
    "é\0",
    "a" * 70_000,
    [],
    [[]],
    {},
    {"a": 1},
    [0],
    [1, 2],
]


def places(document: Any) -> list[tuple[Any, ...]]:
    """The way to every value in a document."""
    found: list[tuple[Any, ...]] = []
    left: list[tuple[Any, tuple[Any, ...]]] = [(document, ())]
    while left:
        value, path = left.pop()
        found.append(path)
        items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
        left += [(child, (*path, key)) for key, child in items]
    return found


def at(document: Any, path: tuple[Any, ...]) -> Any:
    """What is at the end of the way."""
    for step in path:
        document = document[step]
    return document


def changed_document(document: Any, dice: Dice) -> Any:
    """A document with up to four values replaced, left out, repeated, exchanged, renamed or nested."""
    document = json.loads(json.dumps(document))
    for _ in range(dice.randint(1, 4)):
        every = [path for path in places(document) if path]
        if not every:
            return document
        *way, key = dice.choice(every)
        parent = at(document, tuple(way))
        if dice.random() < 0.2:
            parent.pop(key)
        elif dice.random() < 0.2 and isinstance(parent, list):
            parent.insert(key, parent[key])
        elif dice.random() < 0.1 and isinstance(parent, dict):
            parent[dice.choice([f"{key}x", *parent])] = parent.pop(key)
        else:
            parent[key] = _instead(parent[key], document, every, dice)
    return document


def _instead(value: Any, document: Any, every: list[tuple[Any, ...]], dice: Dice) -> Any:
    """Another value, one from elsewhere, a number beside it, or the value inside of lists."""
    if dice.random() < 0.4:
        return copy.deepcopy(dice.choice(VALUES))
    if dice.random() < 0.3:
        return json.loads(json.dumps(at(document, dice.choice(every))))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return dice.choice([value + 1, -value, value * 2**40, value / 3 if abs(value) < 1e300 else 0, str(value)])
    for _ in range(dice.choice([1, 2, 40, 200])):
        value = [value] if dice.random() < 0.5 else {"a": value}
    return value


def changed_json(data: bytes, dice: Dice) -> bytes:
    """JSON, as a document or as a text."""
    if dice.random() < 0.2:
        return changed_text(data, dice)
    return json.dumps(changed_document(json.loads(data), dice)).encode()


def changed_text(data: bytes, dice: Dice) -> bytes:
    """A text with up to four of its words, lines or characters changed, or its end cut off."""
    text = data.decode("utf-8", "replace")
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(text) + 1)
        act = dice.randrange(6)
        if act == 0:
            text = text[:at] + dice.choice(WORDS) + text[at:]
        elif act == 1:
            text = text[:at] + text[at + dice.choice([1, 1, 5, 100]) :]
        elif act == 2:
            text = text[:at]
        elif act == 3:  # a number or a word as a whole
            end = at
            while end < len(text) and (text[end].isalnum() or text[end] in "._-"):
                end += 1
            text = text[:at] + dice.choice(WORDS) + text[end:]
        else:
            lines = text.splitlines(keepends=True) or [""]
            one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
            lines[one] = dice.choice([lines[other], "", lines[one] * 2, lines[one].rstrip("\n")])
            text = "".join(lines)
    return text.encode("utf-8", "replace")


def changed_bytes(data: bytes, dice: Dice) -> bytes:
    """Bytes with up to four places changed: bits, lengths, what was there once more, the end."""
    data = bytes(data)
    for _ in range(dice.randint(1, 4)):
        at = dice.randrange(len(data) + 1)
        act = dice.randrange(6)
        if act == 0:
            new = bytearray(data or b"\0")
            new[at % len(new)] ^= 1 << dice.randrange(8)
            data = bytes(new)
        elif act == 1:
            number = dice.choice([0, 1, 255, 2**31 - 1, 2**32 - 1, 2**63 - 1])
            form = dice.choice(["<Q", ">Q", "<I", ">I", ">B"])
            size = struct.calcsize(form)
            data = data[:at] + struct.pack(form, number % 2 ** (8 * size)) + data[at + size :]
        elif act == 2:
            data = data[:at]
        elif act == 3:
            data = data[:at] + data[at + dice.choice([1, 4, 64]) :]
        elif act == 4:
            start = dice.randrange(len(data) + 1)
            data = data[:at] + data[start : start + dice.choice([1, 8, 200])] + data[at:]
        else:
            data = (
                data[:at]
                + bytes(dice.choice(b"[]{}$#iUIlLdDSCHTFZN\0\xff") for _ in range(dice.randint(1, 6)))
                + data[at:]
            )
    return data


def changed_table(data: bytes, dice: Dice) -> bytes:
    """A CSV file, mostly as text."""
    return changed_text(data, dice) if dice.random() < 0.8 else changed_bytes(data, dice)


# What is entered.


def used(model: CurveModel) -> CurveModel:
    """A model that was accepted is written, read and scored."""
    if from_json(model.to_json()) != model:
        raise AssertionError("its JSON reads back as another model")
    row = {
        feature.name: {"number": 0.5, "int": 1, "str": "a", "bool": True}[feature.type] for feature in model.features
    }
    model.score_row(row)
    return model


def read_teacher(path: Path) -> CurveModel:
    """Any teacher's file."""
    return used(curvec.read_teacher(path))


@contextlib.contextmanager
def _within(folder: Path) -> Iterator[None]:
    """The current folder for as long as the block runs (contextlib's own is of Python 3.11)."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def words(path: Path) -> int:
    """A command line, a word a line: what is printed is no traceback, and the status is one of three."""
    said = io.StringIO()
    arguments = path.read_text(encoding="utf-8", errors="replace").split("\n")
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said), _within(path.parent):
        status = command_line(arguments)
    if "Traceback" in said.getvalue():
        raise AssertionError(said.getvalue()[-1500:])
    if status not in (0, 1, 2):
        raise AssertionError(f"status {status}")
    if status == 2:
        raise CurvecError(said.getvalue())
    return status


def sql_of_names(path: Path) -> str:
    """Names as the file says: SQL that the engine takes, with the scores of the reference."""
    import sqlite3  # noqa: PLC0415

    import duckdb  # noqa: PLC0415

    name, feature, level, note = (json.loads(path.read_bytes()) * 4)[:4]
    model = CurveModel(
        name, [PWLCurve(feature, [(0, 0), (1, 1)], note=note), EnumCurve(feature + "2", {level: 2.0}, 5.0)]
    )
    quoted = [f'"{column.replace(chr(34), chr(34) * 2)}"' for column in (feature, feature + "2")]
    for dialect, connection in (("sqlite", sqlite3.connect(":memory:")), ("duckdb", duckdb.connect())):
        with contextlib.closing(connection):
            query = curvec.emit(model, "sql", dialect, form="select", table="t")
            connection.execute(f"create table t ({quoted[0]} double, {quoted[1]} text)")
            connection.execute("insert into t values (?, ?)", [0.5, level])
            found = connection.execute(query).fetchall()
            if found != [(2.5,)]:
                raise AssertionError(f"{dialect}: {found}")
    return name


# Valid files.


def rows() -> Any:
    """A frame with numbers and a category, and a label."""
    import pandas as pd  # noqa: PLC0415

    dice = np.random.default_rng(0)
    frame = pd.DataFrame({"a": dice.normal(size=300).round(2), "b": dice.integers(0, 9, 300).astype(float)})
    frame["c"] = pd.Categorical(dice.choice(["x", "y", "z"], 300))
    return frame, (frame["a"] + (frame["c"] == "x") + dice.normal(size=300) > 0).astype(int)


def lightgbm_seeds(folder: Path) -> list[bytes]:
    """Boosted trees of one feature each."""
    import lightgbm as lgb  # noqa: PLC0415

    frame, label = rows()
    options = {
        "objective": "binary",
        "num_leaves": 4,
        "interaction_constraints": [[0], [1], [2]],
        "verbose": -1,
        "num_threads": 1,
    }
    lgb.train({**options, "min_data_per_group": 5}, lgb.Dataset(frame, label), 4).save_model(folder / "s.txt")
    return [(folder / "s.txt").read_bytes()]


def _xgboost(path: Path) -> bytes:
    import xgboost as xgb  # noqa: PLC0415

    frame, label = rows()
    data = xgb.DMatrix(frame, label, enable_categorical=True)
    options = {
        "max_depth": 2,
        "interaction_constraints": [["a"], ["b"], ["c"]],
        "nthread": 1,
        "objective": "binary:logistic",
    }
    xgb.train(options, data, 3).save_model(path)
    return path.read_bytes()


def ebm_seeds(folder: Path) -> list[bytes]:
    """With a pair."""
    from interpret.glassbox import ExplainableBoostingClassifier  # noqa: PLC0415

    options = {"max_rounds": 10, "max_bins": 8, "max_interaction_bins": 4, "outer_bags": 1, "n_jobs": 1}
    ExplainableBoostingClassifier(interactions=1, **options).fit(*rows()).to_json(str(folder / "e.json"))
    return [(folder / "e.json").read_bytes()]


def catboost_seeds(folder: Path) -> list[bytes]:
    """Trees of one split."""
    import catboost  # noqa: PLC0415

    frame, label = rows()
    options = {"iterations": 5, "depth": 1, "verbose": 0, "allow_writing_files": False, "thread_count": 1}
    catboost.CatBoostClassifier(**options).fit(frame.drop(columns="c"), label).save_model(
        folder / "c.json", format="json"
    )
    return [(folder / "c.json").read_bytes()]


def npz_seeds(_: Path) -> list[bytes]:
    """Nets of one input, packed and not."""
    layers = {
        "a.0.weight": np.ones((3, 1)),
        "a.0.bias": np.arange(3.0),
        "a.2.weight": np.ones((1, 3)),
        "a.2.bias": np.zeros(1),
    }
    found = []
    for save in (np.savez, np.savez_compressed):
        save(file := io.BytesIO(), **layers)
        found.append(file.getvalue())
    return found


def models() -> list[CurveModel]:
    """Every node, nested, with notes and hard names."""
    curve = PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log", missing=0.5, note="why")
    table = EnumCurve("degree", {"F": 0.02, 'M"\\': -0.04}, default=0, missing=1)
    nested = PWLCurve(Sum([curve, Line("a b")]), [(0, 0), (1, 1)])
    coded = StepCurve("x", [1, 2], [0, 1, -1], special={-1: 3.0})
    product = Product([Sum([nested, coded]), Line("x")], note="pair")
    codes = [EnumCurve("k", {1: 0.5, -2: 1}), EnumCurve("b", {True: 1, False: 0})]
    return [CurveModel("small", [Line("a")]), CurveModel("demo", [curve, table, product, *codes], -1.5, "logit")]


POLICY = b"""[model]
max_terms = 20
max_numbers = 200

[curves]
max_digits = 6

[features.age]
monotone = "decreasing"
"""

TABLE = b"feature,x,y,w\nage,18,0.1,2\nage,20,0.5,1\nage,,0.7,1\nsex,f,1,1\nsex,m,2,1\n"
ROWS = b"age,a b,degree,x,k,b,label\n" + b"".join(
    b"%d,%d.5,%b,1,1,%b,%d\n" % (18 + k, k, b"FM"[k % 2 :][:1], b"true" if k % 3 else b"false", k % 4 // 3)
    for k in range(30)
)

COMMANDS = """
emit m.json --to python
emit m.json --to sql --dialect duckdb --form select --table t --key id
values m.json
read t.csv -o out.json --json
diff m.json m.py
policy m.json --policy p.toml
fit points.csv --x x --y y
edit m.json --cap age=20:30 --drop degree --round 3 -o out.json
score m.json rows.csv -o out.parquet --key k
distill m.json rows.csv --segments 3 --max-numbers 12
schema
refine m.json rows.csv --target label --loss log_loss
parity m.json --targets python --json
report m.json -o out.html --no-parity
""".strip().splitlines()


def command_seeds(folder: Path) -> list[bytes]:
    """Command lines with what they read beside them."""
    (folder / "m.json").write_text(models()[1].to_json(), encoding="utf-8")
    (folder / "m.py").write_text(curvec.emit(models()[1], "python"), encoding="utf-8")
    (folder / "p.toml").write_bytes(POLICY)
    (folder / "t.csv").write_bytes(TABLE)
    (folder / "points.csv").write_text("x,y\n1,2\n2,3\n3,5\n", encoding="utf-8")
    (folder / "rows.csv").write_bytes(ROWS)
    return [command.replace(" ", "\n").encode() for command in COMMANDS]


def parquet_seeds(folder: Path) -> list[bytes]:
    """The rows of the CSV file as Parquet."""
    import pyarrow.csv  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    table = pyarrow.csv.read_csv(io.BytesIO(ROWS))
    pq.write_table(table, folder / "rows.parquet")
    pq.write_table(table, folder / "plain.parquet", compression="none", use_dictionary=False)
    return [(folder / name).read_bytes() for name in ("rows.parquet", "plain.parquet")]


def table_parquet_seeds(folder: Path) -> list[bytes]:
    """A teacher's table as Parquet."""
    import pyarrow as pa  # noqa: PLC0415
    import pyarrow.parquet as pq  # noqa: PLC0415

    pq.write_table(
        pa.table({"feature": ["a", "a", "b"], "x": [1.0, 2.0, 3.0], "y": [0.0, 1.0, 2.0]}), folder / "t.parquet"
    )
    return [(folder / "t.parquet").read_bytes()]


def of_model(read: Callable[[str], Any]) -> Callable[[Path], Any]:
    """A text that is read as a model."""

    def enter(path: Path) -> Any:
        found = read(path.read_bytes().decode("utf-8", "replace"))
        return used(found) if isinstance(found, CurveModel) else found

    return enter


def score_rows(path: Path) -> int:
    """Rows in a file, scored as a stream."""
    return len(models()[1].eval(path))


def of_texts(write: Callable[[CurveModel], str]) -> Callable[[Path], list[bytes]]:
    """The seeds as this text of the models."""
    return lambda _: [write(model).encode() for model in models()]


def changed_names(data: bytes, dice: Dice) -> bytes:
    """Names of characters that something quotes, ends or joins, and of any others."""
    hard = "\"'`[]{}\\%$;-/*#\n\r\t ,.()|&<>:=@?\u2028\u202e\ufeff\u0301éß\u0131Σ\U0001f600aAzZ09_"
    others = [chr(dice.randrange(1, 0xD800)) for _ in range(3)]
    names = ["".join(dice.choice([*hard, *others]) for _ in range(dice.randint(1, 12))) for _ in json.loads(data)]
    return json.dumps(names).encode()


def changed_words(data: bytes, dice: Dice) -> bytes:
    """A command line with up to three words replaced, left out or put in."""
    line = data.decode().split("\n")
    others = [
        *WORDS,
        *" ".join(COMMANDS).split(),
        "age=",
        "=1",
        "age=1",
        "-",
        "--",
        "/dev/null",
        "/no/such",
        ".",
        "a,b",
        "[1, 2]",
    ]
    for _ in range(dice.randint(1, 3)):
        at = dice.randrange(1, len(line) + 1)
        line[at : at + dice.randint(0, 1)] = [dice.choice(others)] * dice.randint(0, 1)
    return "\n".join(line).encode()


DOORS = {
    "lightgbm.txt": Door(".txt", lightgbm_seeds, changed_text, read_teacher),
    "xgboost.json": Door(".json", lambda folder: [_xgboost(folder / "x.json")], changed_json, read_teacher),
    "xgboost.ubj": Door(".ubj", lambda folder: [_xgboost(folder / "x.ubj")], changed_bytes, read_teacher),
    "ebm.json": Door(".json", ebm_seeds, changed_json, read_teacher),
    "catboost.json": Door(".json", catboost_seeds, changed_json, read_teacher),
    "nets.npz": Door(".npz", npz_seeds, changed_bytes, read_teacher),
    "table.csv": Door(".csv", lambda _: [TABLE], changed_table, read_teacher),
    "table.parquet": Door(".parquet", table_parquet_seeds, changed_bytes, read_teacher),
    "model.json": Door(".json", of_texts(CurveModel.to_json), changed_json, of_model(from_json)),
    "model.py": Door(".py", of_texts(lambda model: curvec.emit(model, "python")), changed_text, of_model(from_python)),
    "listing.py": Door(".py", of_texts(str), changed_text, of_model(from_python)),
    "policy.toml": Door(".toml", lambda _: [POLICY], changed_text, of_model(read_policy)),
    "rows.csv": Door(".csv", lambda _: [ROWS], changed_table, score_rows),
    "rows.parquet": Door(".parquet", parquet_seeds, changed_bytes, score_rows),
    "commands": Door(".words", command_seeds, changed_words, words),
    "names.sql": Door(".names", lambda _: [b'["m", "f", "l", "n"]'], changed_names, sql_of_names),
}


def tried(door: Door, path: Path) -> tuple[str, str]:
    """What came of one file: "accepted", "refused" or a finding, and what is wrong."""
    start = time.process_time()
    try:
        door.enter(path)
        found = "accepted"
    except CurvecError as error:
        found = "refused"
        if len(str(error)) > LONGEST:
            return "long", f"a message of {len(str(error)):,} characters"
    except BaseException:  # noqa: BLE001  a panic of a library in Rust is none of Exception
        return "escaped", traceback.format_exc()
    took = time.process_time() - start
    return (found, "") if took < SLOWEST else ("slow", f"{took:.1f} s")


def fuzz(name: str, seconds: float, seed: int, kept: Path) -> Counter[str]:
    """Try one door until the time is over; print what is found, and say how often what came."""
    door, counts, known = DOORS[name], Counter[str](), set[str]()
    with tempfile.TemporaryDirectory() as text:
        folder = Path(text)
        seeds = door.seeds(folder)
        for whole in seeds:
            (folder / f"whole{door.suffix}").write_bytes(whole)
            door.enter(folder / f"whole{door.suffix}")
        end, number = time.monotonic() + seconds, seed
        while time.monotonic() < end:
            dice = Dice(f"{name} {number}")
            path = folder / f"try{door.suffix}"
            path.write_bytes(door.change(dice.choice(seeds), dice))
            outcome, what = tried(door, path)
            counts[outcome] += 1
            kind = outcome + "\n".join(what.splitlines()[-3:])
            if what and kind not in known:
                known.add(kind)
                kept.mkdir(parents=True, exist_ok=True)
                (kept / f"{name}-{number}{door.suffix}").write_bytes(path.read_bytes())
                print(f"FOUND {outcome} by {name}, seed {number}:\n{what}", flush=True)
            number += 1
    return counts


def main() -> None:
    """Try the doors one after the other, the time shared out among them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--door", choices=DOORS, action="append")
    parser.add_argument("--seconds", type=float, default=60.0, help="in all")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--kept", type=Path, default=Path("build/fuzz"))
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_AS, (8 * 2**30, 8 * 2**30))  # a length that is trusted ends here
    doors = asked.door or list(DOORS)
    findings = 0
    for name in doors:
        counts = fuzz(name, asked.seconds / len(doors), asked.seed, asked.kept)
        findings += counts.total() - counts["accepted"] - counts["refused"]
        told = ", ".join(f"{count:,} {outcome}" for outcome, count in counts.most_common())
        print(f"{name}: {counts.total():,} tries in {asked.seconds / len(doors):.0f} s: {told}", flush=True)
    sys.exit(findings > 0)


if __name__ == "__main__":
    main()
