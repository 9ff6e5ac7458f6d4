"""The emitted Python of a few models, kept as files."""

from __future__ import annotations

from pathlib import Path

from curvec import CurveModel, EnumCurve, Feature, Line, Product, PWLCurve, StepCurve, Sum, emit

__all__ = ["FOLDER", "emitted", "golden"]

FOLDER = Path(__file__).parent / "golden" / "python"
RUNTIME = Path(__file__).parents[1] / "templates" / "python" / "runtime.py"


def paper() -> CurveModel:
    """The listing of Ravina et al. (2021, listing 1)."""
    return CurveModel(
        "compas",
        [
            PWLCurve("age", [(18, 3.13), (21, 0.5914), (46, -0.7206)], fx="log"),
            PWLCurve("priors_count", [(0, -0.8415), (1, -0.4452), (38, 2.146)], fx="log1p"),
            PWLCurve("length_of_stay", [(0, -0.1855), (3, -0.04099), (4, 0.2443)], fx="log1p"),
            EnumCurve("c_charge_degree", {1: 0.0198, 2: -0.0384}),
        ],
        link="logit",
    )


def names() -> CurveModel:
    """Feature names that are no parameter names, or that collide once they are."""
    found = ["", "class", "a b", "a-b", "a_b", "row", "MODEL", "1st", "größe", "日本", "new\nline", "float", "x"]
    return CurveModel("names", [Line(name) for name in found])


def long() -> CurveModel:
    """What does not fit on a line."""
    step = StepCurve(
        "binned", [k / 8 for k in range(30)], [(-1) ** k * k / 4 for k in range(31)], missing=0, note="bins"
    )
    table = EnumCurve("region", {f"region number {k}": k / 10 for k in range(12)}, default=0)
    note = (
        "a remark that goes on for longer than a line of the file may be, which no formatter can help, and that is fine"
    )
    curve = PWLCurve("income", [(k, k * k / 3) for k in range(12)], note=note)
    listed = [Feature("binned"), Feature("region", "str"), Feature("income"), Feature("unused", "bool")]
    return CurveModel("long", [step, table, curve], -0.0, features=listed, note="two\nlines")


def nodes() -> CurveModel:
    """Every node, nested, with every option."""
    curve = PWLCurve("x", [(-1e-7, 0.1), (0, 1 / 3), (1e22, -2.5e-300)], fx="symlog1p", missing=0, note="why")
    step = StepCurve("x", [0.5], [1, -1], missing=2)
    nested = PWLCurve(Sum([curve, Line("y", note="raw")], note="inside"), [(0, 0), (1, 1)])
    tables = [EnumCurve("k", {-1: 0.5, 2: 1}, default=0), EnumCurve("flag", {True: 1, False: 0}, missing=0.5)]
    pair = Product([Sum([nested, StepCurve(Sum([step]), [1, 2], [3, 4, 5])]), curve], note="pair")
    return CurveModel("nodes", [curve, step, nested, *tables, pair], 0.25, "log")


def hostile() -> CurveModel:
    """Text that would be code if it were not quoted."""
    text = [
        '"""',
        "'''",
        "\\",
        "a'b\"c",
        "{{ x }}",
        "{% raw %}",
        "# no",
        "\r\n",
        "\0",
        "\u202e",
        "'); exit(); ('",
        "\x85",
    ]
    every = EnumCurve(text[0], dict.fromkeys(text, 1.0), note=text[0])
    terms = [every, *(EnumCurve(name, {name: 1.0}, note=name) for name in text[1:])]
    return CurveModel('"""; exit(); """', terms, note="\n".join(text))


STANDALONE = "paper_standalone.py"


def emitted() -> dict[str, str]:
    """File name -> text, of every model with curvec as the runtime, and of the paper's standing alone."""
    models = {"paper": paper(), "names": names(), "long": long(), "nodes": nodes(), "hostile": hostile()}
    files = {f"{name}.py": emit(model, "python") for name, model in models.items()}
    return {**files, STANDALONE: emit(paper(), "python", standalone=True)}


def golden() -> dict[str, str]:
    """File name -> text as it is kept: of the module that stands alone, what is around the runtime that it carries."""
    files = emitted()
    before, after = files.pop(STANDALONE).split(RUNTIME.read_text(encoding="utf-8"))
    return {**files, f"{STANDALONE}.txt": f"{before}... templates/python/runtime.py ...\n{after}"}
