"""The SQL dialects: one record each, the only place for differences between engines.

A field holds a fact about the engine, never a decision of the emitter. Facts are tested on the engine where the tests
can run it; others come with the vendor's page. A new dialect is one record here and a line in the tests.
"""

from __future__ import annotations

from collections.abc import Mapping

from curvec.checks import named_entry
from curvec.emit.dialect import Dialect
from curvec.errors import InputError
from curvec.fields import changed

_SESSION = ("user", "current_user", "session_user", "current_date", "current_timestamp", "localtimestamp")
"""Functions that many engines call without parentheses, and some though their name is quoted."""

_POSTGRES_NUMBERS = "'smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision', 'boolean'"

_BACKSLASH: Mapping[str, str] = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}

# NaN does not exist: it is stored, and computed, as NULL. The shortest literal is read one ULP off for 4 of 40,000
# numbers in 3.40, where a quotient of integers is rounded twice. Beyond 1e-30 and 1e30 up to one in seven is read wrong
# by 3.40 and 3.51. LN needs a library built with mathematical functions. Text that is cast to a number becomes the
# number that it begins with, else 0, where the reference refuses it.
# https://www.sqlite.org/lang_mathfunc.html https://www.sqlite.org/limits.html
# The parser has a stack of 100 symbols before 3.46, of which SELECT takes four and a view of a query 19.
# https://www.sqlite.org/compile.html#yystackdepth
# A subquery is flattened into its outer query, and its expressions are evaluated at every use, unless it is a compound
# of which a part has no FROM. Conditions on one column get past that, and reach an index; conditions of a join do not.
# https://www.sqlite.org/optoverview.html#flattening https://www.sqlite.org/optoverview.html#push_down_optimization
# A sum is quicker than a cast that is made once, and makes the same double. An integer is compared with a double
# exactly, which below 2**53 is as the double that it would be cast to. A plus sign takes a column's affinity away, so
# that a number is not compared as text: https://www.sqlite.org/datatype3.html#comparison_expressions
# A name in double quotes that no column has is a string; one in backticks is an error, so those are used.
# https://www.sqlite.org/quirks.html#double_quoted_string_literals_are_accepted https://www.sqlite.org/rowidtable.html
# A join finds its row by an index only where both sides have one affinity, which the columns of VALUES do not:
# https://www.sqlite.org/optoverview.html#automatic_query_time_indexes
# Of a subquery of more than 32,767 rows it makes none, and reads all of them for each row of the table.
SQLITE = Dialect(
    replace_view="",  # https://www.sqlite.org/lang_createview.html
    name="sqlite",
    title="SQLite",
    greatest="MAX",
    double="CAST({} AS REAL)",
    double_once="{} + 0e0",
    raw_column="+{}",
    compares_exactly=True,
    careful_digits=True,
    needs_exponent=False,
    exact_literals=(1e-22, 1e22),
    quotes=("`", "`"),
    name_escapes={"`": "``"},
    name_of_row=("rowid", "oid", "_rowid_"),
    name_empty=True,
    folds="ascii",
    control="CHAR({})",
    text_key="{} COLLATE BINARY",
    boolean="{}",
    has_nan=False,
    materialise="UNION ALL\nSELECT {nulls}\nWHERE 0",
    materialise_casts=True,
    search_from=5,
    search_leaf=1,
    values_head=(
        "{name} ({level}, {value}) AS (\n    SELECT\n        CAST(column1 AS {type}),\n        column2\n"
        "    FROM (\n        VALUES"
    ),
    values_row="        ({}, {})",
    values_types=("INTEGER", "TEXT"),
    values_tail="    )\n    LIMIT -1\n)",
    max_columns=2000,
    max_union=500,
    max_joined=20_000,
    not_number="TYPEOF({}) NOT IN ('integer', 'real', 'null')",
    not_text="TYPEOF({}) NOT IN ('text', 'null')",
    max_stack=74,
)

# LN(0) is an error before version 2. 0.1 is a DECIMAL, 1e-1 a DOUBLE; beside a DOUBLE a DECIMAL is an integer divided
# by a power of ten, which are both exact up to 15 digits. Every arm of a CASE costs a pass over the rows. An ENUM,
# which a categorical column of pandas is, takes no collation before it is cast. An integer beside a FLOAT, 32 bits, is
# rounded to one, as it is in Spark where ANSI is off, in DataFusion and Polars.
# https://duckdb.org/docs/stable/sql/data_types/numeric https://duckdb.org/docs/stable/sql/functions/numeric
DUCKDB = Dialect(
    name="duckdb",
    title="DuckDB",
    name_of_row=("rowid",),
    name_of_session=(*_SESSION, "current_role", "current_time", "localtime", "current_schema", "current_catalog"),
    folds="ascii",
    text_key="CAST({} AS VARCHAR) COLLATE posix",
    not_text="NOT REGEXP_MATCHES(TYPEOF({}), '^(VARCHAR|ENUM)')",
    plain_digits=15,
    function="{create} MACRO {name}({parameters}) AS\n{body}",  # https://duckdb.org/docs/stable/sql/statements/create_macro
    parameter="{name}",
    not_number="REGEXP_MATCHES(TYPEOF({}), '^(VARCHAR|ENUM|DATE|TIME|INTERVAL|UUID|BLOB|BIT)')",
    guards_ln=True,
    search_from=66,
    search_leaf=31,
    max_nesting=900,
)

# 1e-1 alone is numeric, not a double; beside a double, a numeric is read as one, once a query. LN(0), a division by
# zero, and every product that overflows or underflows to zero raise, at plan time already for constants; so a slope
# times a distance of some 1e-320 raises, as do products of columns beyond 1e308. NaN is equal to itself and greater
# than every number. A longer name is cut off in silence. A subquery is pulled up, and its expressions copied to every
# use, unless it has an OFFSET, which no condition gets past; or is a UNION ALL of parts that differ in the type of a
# column, which costs more a row, and which they get past.
# https://github.com/postgres/postgres/blob/REL_18_STABLE/src/backend/optimizer/prep/prepjointree.c is_simple_union_all
# t.count is count(t) where t has no such column, and so is every other function of a row; count alone is an error.
# https://www.postgresql.org/docs/current/ddl-system-columns.html
# https://www.postgresql.org/docs/current/rowtypes.html#ROWTYPES-USAGE
# https://www.postgresql.org/docs/current/sql-syntax-lexical.html https://www.postgresql.org/docs/current/limits.html
# https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-FLOAT
POSTGRES = Dialect(
    name="postgres",
    title="PostgreSQL",
    compares_exactly=True,
    needs_exponent=False,
    plain_digits=17,
    qualified=False,
    name_of_row=("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "curvec_row"),
    double="CAST({} AS double precision)",
    suffix="::float8",
    name_limit=63,
    name_unit="bytes",
    string_coded="%",
    text_key='CAST({} AS text) COLLATE "C"',
    boolean="CAST({} AS integer)",
    guards_ln=True,
    guards_underflow=True,
    guards_division=True,
    materialise="OFFSET 0",
    function="{create} FUNCTION {name}({parameters}) RETURNS double precision\nIMMUTABLE PARALLEL SAFE RETURN\n{body}",
    parameter_types=("double precision", "text", "boolean"),
    not_number=f"CAST(PG_TYPEOF({{}}) AS text) NOT IN ({_POSTGRES_NUMBERS})",
    not_text=f"CAST(PG_TYPEOF({{}}) AS text) IN ({_POSTGRES_NUMBERS}, 'date', 'uuid', 'bytea')",
    view_materialise="UNION ALL\nSELECT {nulls}, NULL::varchar\nWHERE FALSE",
    view_materialise_column="NULL::text",
    search_from=18,
    max_columns=1664,
    notes=("SET jit = off makes this query faster",),
)

# As PostgreSQL, from which it was made. Names are the same whatever their case, quoted or not; trailing blanks do not
# count when strings are compared, so a mark is put behind them; a backslash escapes; VALUES makes no table.
# https://docs.aws.amazon.com/redshift/latest/dg/r_names.html
# https://docs.aws.amazon.com/redshift/latest/dg/r_Character_types.html
# https://docs.aws.amazon.com/redshift/latest/dg/r_COLLATE.html
REDSHIFT = Dialect(
    name="redshift",
    title="Amazon Redshift",
    qualified=False,
    name_of_row=("oid", "tableoid", "xmin", "cmin", "xmax", "cmax", "ctid", "curvec_row"),
    double="CAST({} AS double precision)",
    suffix="::float8",
    name_limit=127,
    name_unit="bytes",
    folds="unicode",
    string_escapes={"\\": "\\\\", "'": "''"},
    string_coded="%",
    text_key="(COLLATE({}, 'case_sensitive') || '|')",
    text_level="({} || '|')",
    boolean="CAST({} AS integer)",
    guards_ln=True,
    guards_underflow=True,
    guards_division=True,
    values_head="{name} ({level}, {value}) AS (",
    values_row="    SELECT\n        {},\n        {}",
    values_between="\n    UNION ALL",
    max_bytes=16_000_000,
)

# 0.1 is a DECIMAL, 1e-1 a DOUBLE; a DECIMAL beside a DOUBLE is cast, once a query. LN(0) is NULL, a division by zero
# an error (unless ANSI is off). ${name} is replaced in the whole text, strings and comments included, so a dollar is
# written by its code, and a name cannot hold one. The Java that it makes of an expression looks for a NULL before
# every comparison and operation on what can be NULL, a third of the time that curves take; a COALESCE that is repeated
# is computed once in it. LOG of Java: the last bit of a logarithm may differ from the C library's.
# https://spark.apache.org/docs/latest/sql-ref-literals.html https://spark.apache.org/docs/latest/sql-ref-identifier.html
SPARK = Dialect(
    name="spark",
    title="Spark",
    plain_digits=17,
    quotes=("`", "`"),
    name_escapes={"`": "``"},
    name_refused=("${",),
    name_of_session=(*_SESSION, "current_time", "localtime"),
    folds="unicode",
    string_escapes={**_BACKSLASH, "$": "\\u0024"},
    control="\\u{:04x}",
    text_key="CAST({} AS STRING)",
    guards_division=True,
    null_as_nan="COALESCE({}, DOUBLE('NaN'))",
    function="{create} FUNCTION {name}({parameters}) RETURNS DOUBLE RETURN\n{body}",
    not_number="TYPEOF({}) NOT RLIKE '^(tinyint|smallint|int|bigint|float|double|decimal|boolean)'",
    not_text="TYPEOF({}) NOT RLIKE '^(string|char|varchar)'",
    search_from=48,
    search_leaf=31,
    notes=("SET spark.sql.codegen.hugeMethodLimit=8000 makes this query faster",),
)

# Photon makes no Java of a query, so what Spark's takes does not count there.
# https://docs.databricks.com/en/sql/language-manual/sql-ref-identifiers.html https://docs.databricks.com/en/compute/photon.html
DATABRICKS = changed(
    SPARK, name="databricks", title="Databricks", plain_digits=0, name_limit=255, null_as_nan="{}", notes=()
)

# There is no NaN and no infinity. 0.1 is DECIMAL, 1e-1 DOUBLE; a DECIMAL beside a DOUBLE is converted for every row.
# Text is compared by a collation that forgets case, accents, trailing blanks and most emoji, so it is compared as
# bytes. A product that overflows raises. A backslash in a string is an escape or itself, as sql_mode says; bytes in
# hexadecimal are the same in every mode.
# https://dev.mysql.com/doc/refman/8.4/en/sql-mode.html#sqlmode_no_backslash_escapes
# A number is compared with a FLOAT as a double: https://dev.mysql.com/doc/refman/8.4/en/type-conversion.html
# A subquery is merged into its outer query unless it is a UNION, which conditions reach the tables through.
# https://mariadb.com/kb/en/derived-table-merge-optimization/
# https://dev.mysql.com/doc/refman/8.4/en/derived-condition-pushdown-optimization.html
# Control characters at the start of an alias are dropped in silence, and then no column is called so.
# https://dev.mysql.com/doc/refman/8.4/en/identifiers.html https://dev.mysql.com/doc/refman/8.4/en/string-literals.html
MYSQL = Dialect(
    name="mysql",
    title="MySQL",
    integer="CAST({} AS SIGNED)",
    compares_exactly=True,
    quotes=("`", "`"),
    name_escapes={"`": "``"},
    name_edges=False,
    name_astral=False,
    name_limit=64,
    folds="unicode",
    hex_string="X'{}'",
    shown_string="_utf8mb4 {}",
    function="{create} FUNCTION {name}({parameters}) RETURNS DOUBLE\nDETERMINISTIC NO SQL RETURN\n{body}",
    parameter_types=("DOUBLE", "LONGTEXT CHARACTER SET utf8mb4", "BOOLEAN"),
    not_number="CAST({} AS CHAR) NOT REGEXP '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)(e[-+]?[0-9]+)? *$'",
    control="",
    text_key="CAST(CONVERT({} USING utf8mb4) AS BINARY)",
    boolean="{}",
    has_nan=False,
    materialise="UNION ALL\nSELECT {nulls}\nFROM dual\nWHERE FALSE",
    search_from=18,
    values_row="    ROW ({}, {})",
    max_columns=4096,
)

# https://mariadb.com/kb/en/identifier-names/ https://mariadb.com/kb/en/table-value-constructors/
MARIADB = changed(MYSQL, name="mariadb", title="MariaDB", values_row="    ({}, {})")

# CAST to a type that is not Nullable fails on NULL; toFloat64 keeps it. NaN is unordered. A LEFT JOIN gives a row
# without a match the default of the column's type, which is NULL only for Nullable types. LOG is the engine's own: its
# last bit may differ from the C library's. A join keeps -0 apart from 0. An integer that a column's decimal type is too
# short for is an error when it is compared with the column.
# https://clickhouse.com/docs/sql-reference/syntax https://clickhouse.com/docs/operations/settings/settings
CLICKHOUSE = Dialect(
    name="clickhouse",
    title="ClickHouse",
    needs_exponent=False,
    nan_unordered=True,
    integer="toInt32({})",
    name_of_row=(
        "_part",
        "_table",
        "_database",
        "_row_exists",
        "_partition_id",
        "_part_index",
        "_part_offset",
        "_sample_factor",
    ),
    name_of_session=(
        *(*_SESSION, "localtime", "now", "today", "curdate", "database", "schema"),
        *("current_database", "currentuser", "currentdatabase", "currenthandler", "currentrequesturl"),
    ),
    double="toFloat64({})",
    name_escapes={'"': '""', "\\": "\\\\"},
    string_escapes=_BACKSLASH,
    control="",
    join_key="toFloat64({}) + 0",
    function="{create} FUNCTION {name} AS ({parameters}) ->\n{body}",
    parameter="{name}",
    not_number="NOT match(toTypeName({}), '^(Nullable[(]|LowCardinality[(])*(U?Int|Float|Decimal|Bool)')",
    not_text="NOT match(toTypeName({}), '^(Nullable[(]|LowCardinality[(])*(String|FixedString|Enum)')",
    boolean="toFloat64({})",
    values_head=(
        "{name} AS (\n    SELECT\n        {level},\n        {value}\n    FROM VALUES (\n"
        "        'level_key {type}, level_value Nullable(Float64)',"
    ),
    values_row="        ({}, {})",
    values_types=("Nullable(Int64)", "Nullable(String)"),
    values_tail="    )\n)",
    max_bytes=262_144,
    max_bytes_setting="max_query_size",
)

# NaN is ordered by its bits: one with its sign set is below every number, so that it is tested for first.
# https://datafusion.apache.org/user-guide/sql/
DATAFUSION = Dialect(
    name="datafusion",
    title="DataFusion",
    needs_exponent=False,
    nan_first="isnan({})",
    max_cases=40,
    not_number="NOT regexp_like(ARROW_TYPEOF({}), '^(U?Int|Float|Decimal|Boolean)')",
    not_text="NOT regexp_like(ARROW_TYPEOF({}), 'Utf8')",
)

# Every branch of a CASE is computed for every row, but nothing raises. A FLOAT column stays 32 bit beside a
# literal. NaN is equal to itself and greater than every number.
# https://docs.pola.rs/api/python/stable/reference/sql/index.html
# The two sides of a join must have one type. There is no CREATE VIEW.
POLARS = Dialect(
    name="polars",
    title="Polars",
    views=False,
    control="",
    join_key="CAST({} AS DOUBLE)",
    join_text="CAST({} AS VARCHAR)",
    max_cases=40,
)

# NUMERIC stays NUMERIC beside a FLOAT64 unless it is cast. LN(0), a division by zero, and whatever overflows raise. A
# text column may have a collation, so text is compared as bytes.
# https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical https://cloud.google.com/bigquery/quotas
# https://cloud.google.com/bigquery/docs/schemas#column_names
# There is no 32-bit float.
BIGQUERY = Dialect(
    name="bigquery",
    title="BigQuery",
    needs_exponent=False,
    nan_unordered=True,
    integer="CAST({} AS INT64)",
    double="CAST({} AS FLOAT64)",
    compares_exactly=True,
    quotes=("`", "`"),
    name_escapes={"\\": "\\\\", "`": "\\`"},
    name_refused=tuple('!"$()*,./;?@[\\]^`{}~\n\r'),
    name_limit=300,
    folds="unicode",
    string_escapes=_BACKSLASH,
    control="",
    text_key="CAST({} AS BYTES)",
    function="{create} FUNCTION {name}({parameters}) RETURNS FLOAT64 AS\n{body}",
    parameter_types=("FLOAT64", "STRING", "BOOL"),
    text_level="b{}",
    boolean="CAST({} AS INT64)",
    guards_ln=True,
    guards_division=True,
    values_head=(
        "{name} AS (\n    SELECT\n        {level},\n        {value}\n"
        "    FROM UNNEST(ARRAY<STRUCT<{level} {type}, {value} FLOAT64>>["
    ),
    values_row="        ({}, {})",
    values_types=("INT64", "BYTES"),
    values_tail="    ])\n)",
    max_bytes=1_000_000,
)

# A quoted name keeps its case, and one that was created without quotes is in capitals. LN(0) and a division by zero
# raise. NaN is equal to itself and greater than every number. A boolean cannot be cast to FLOAT.
# Every float has 64 bits.
# https://docs.snowflake.com/en/sql-reference/functions/collate
# https://docs.snowflake.com/en/sql-reference/identifiers-syntax
# https://docs.snowflake.com/en/sql-reference/data-types-numeric
# https://docs.snowflake.com/en/sql-reference/data-types-text#escape-sequences-in-single-quoted-string-constants
SNOWFLAKE = Dialect(
    name="snowflake",
    title="Snowflake",
    double="CAST({} AS FLOAT)",
    compares_exactly=True,
    suffix="::FLOAT",
    capitals=True,
    name_limit=255,
    string_escapes=_BACKSLASH,
    control="\\u{:04x}",
    function="{create} FUNCTION {name}({parameters}) RETURNS FLOAT AS $$\n{body}$$",
    parameter_types=("FLOAT", "VARCHAR", "BOOLEAN"),
    text_key="COLLATE({}, 'utf8')",
    boolean="CASE WHEN {0} THEN 1 WHEN NOT {0} THEN 0 END",
    guards_ln=True,
    guards_division=True,
    values_head=(
        "{name} ({level}, {value}) AS (\n    SELECT\n        v.{level},\n        v.{value}\n    FROM (\n        VALUES"
    ),
    values_row="        ({}, {})",
    values_tail="    ) AS v ({level}, {value})\n)",
    max_bytes=1_000_000,
)

# 0.1 is a DECIMAL, 1e-1 a DOUBLE. LN(0) and 1e0 / 0e0 are infinite; NaN is unordered. Names are the same whatever
# their case, quoted or not.
# https://trino.io/docs/current/language/types.html https://trino.io/docs/current/admin/properties-query-management.html
TRINO = Dialect(
    name="trino",
    title="Trino",
    nan_unordered=True,
    folds="unicode",
    max_bytes=1_000_000,
    max_bytes_setting="query.max-length",
)

# https://docs.aws.amazon.com/athena/latest/ug/service-limits.html
ATHENA = changed(TRINO, name="athena", title="Amazon Athena", max_bytes=262_144, max_bytes_setting="")

# There is no NaN, no infinity and no subnormal number; what overflows, LOG(0) and a division by zero raise. LOG is the
# natural logarithm. Text is compared by a collation that mostly forgets case, and always without trailing blanks, so
# it is compared as bytes. CASE nests ten deep, so that no long one is searched by halves.
# https://learn.microsoft.com/en-us/sql/t-sql/language-elements/case-transact-sql
# https://learn.microsoft.com/en-us/sql/t-sql/data-types/float-and-real-transact-sql
# https://learn.microsoft.com/en-us/sql/sql-server/maximum-capacity-specifications-for-sql-server
TSQL = Dialect(
    replace_view="CREATE OR ALTER VIEW",  # https://learn.microsoft.com/sql/t-sql/statements/create-view-transact-sql
    name="tsql",
    title="SQL Server",
    double="CAST({} AS FLOAT)",
    least=2.2250738585072014e-308,
    ln="LOG",
    quotes=("[", "]"),
    name_escapes={"]": "]]"},
    name_limit=128,
    folds="unicode",
    string="N'{}'",
    control="NCHAR({})",
    concat=" + ",
    text_key="CAST(CAST({} AS NVARCHAR(MAX)) AS VARBINARY(MAX))",
    text_level="CAST({} AS VARBINARY(MAX))",
    boolean="CAST({} AS FLOAT)",
    has_nan=False,
    guards_ln=True,
    guards_division=True,
    values_head=(
        "{name} ({level}, {value}) AS (\n    SELECT\n        v.{level},\n        v.{value}\n    FROM (\n        VALUES"
    ),
    values_row="        ({}, {})",
    values_tail="    ) AS v({level}, {value})\n)",
    max_columns=1024,
    max_cases=10,
)

# 1e-1 and DOUBLE PRECISION are decimal; 1e-1d and BINARY_DOUBLE are doubles, and then LN(0) is infinite and NaN
# greater than every number. The empty string is NULL. A quoted name keeps its case, and cannot hold a quote. Text is
# compared by the session's NLS_COMP and NLS_SORT, by its column's collation, and without trailing blanks where both
# sides are CHAR, as literals are; so it is compared as bytes, which COLLATE would need extended strings for. They are
# cut off at 2,000.
# https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/NLSSORT.html
# https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/Data-Type-Comparison-Rules.html
# https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/Literals.html
# https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/Database-Object-Names-and-Qualifiers.html
ORACLE = Dialect(
    name="oracle",
    title="Oracle",
    double="TO_BINARY_DOUBLE({})",
    suffix="d",
    needs_exponent=False,
    capitals=True,
    table_alias=" ",  # https://docs.oracle.com/en/database/oracle/oracle-database/23/sqlrf/SELECT.html t_alias
    name_refused=('"',),
    name_limit=128,
    name_unit="bytes",
    empty_string=False,
    text_key="NLSSORT(TO_CHAR({}), 'NLS_SORT=BINARY')",
    text_level="NLSSORT({}, 'NLS_SORT=BINARY')",
    level_limit=1999,
    boolean="TO_BINARY_DOUBLE({})",
    values_head="{name} ({level}, {value}) AS (",
    values_row="    SELECT\n        {},\n        {}\n    FROM DUAL",
    values_between="\n    UNION ALL",
    max_columns=1000,
)

# 0.1, 1e-1 and what is computed of them are decimals unless they are cast; a constant is cast once a query. LN of zero
# and below and a division by zero raise. NaN is equal to itself and greater than every number; no zero has a sign. A
# REAL and a BIGINT are compared by the fewest digits that tell the REAL from its neighbours. A name without quotes is
# stored in capitals. Text is compared by the database's collation, and a column may forget case, so it is compared as
# the bytes of UTF-8, a CHAR, which equals itself without blanks at its end, without them.
# https://www.h2database.com/html/grammar.html#numeric https://www.h2database.com/html/datatypes.html#double_precision_type
# https://www.h2database.com/html/commands.html#set_collation https://www.h2database.com/html/advanced.html#limits_limitations
H2 = Dialect(
    name="h2",
    title="H2",
    double="CAST({} AS DOUBLE PRECISION)",
    suffix="::FLOAT8",
    capitals=True,
    name_limit=256,
    text_key="CAST(CASE WHEN {0} = RTRIM({0}) THEN RTRIM({0}) ELSE CAST({0} AS VARCHAR) END AS VARBINARY)",
    text_level="CAST({} AS VARBINARY)",
    level_limit=1_048_575,
    boolean="CAST({} AS INTEGER)",
    reserved=("day", "hour", "minute", "month", "second", "value", "year"),
    name_of_row=("_rowid_",),
    guards_ln=True,
    guards_division=True,
    max_nesting=250,  # of the 300 that Java's stack of a megabyte has room for
)

_ALL = (
    SQLITE,
    DUCKDB,
    POSTGRES,
    SPARK,
    DATABRICKS,
    MYSQL,
    MARIADB,
    CLICKHOUSE,
    DATAFUSION,
    POLARS,
    BIGQUERY,
    H2,
    SNOWFLAKE,
    REDSHIFT,
    TRINO,
    ATHENA,
    TSQL,
    ORACLE,
)
DIALECTS: dict[str, Dialect] = {entry.name: entry for entry in _ALL}


def dialect(name: str | None) -> Dialect:
    """The dialect of that name.

    Raises:
        InputError: no dialect has that name.

    """
    known = list(map(_called, DIALECTS))
    if name is None:
        raise InputError(f"SQL needs dialect=, the engine that reads it; use one of {', '.join(known)}")
    return named_entry("dialect", name, DIALECTS, "a dialect", known)


def _called(name: str) -> str:
    """A dialect's name, and the engine's if that differs."""
    title = DIALECTS[name].title
    return name if name in title.lower().replace(" ", "") else f"{name} ({title})"
