"""The words that some engine reserves, so that a name that is one of them is written in quotes on every engine."""

from __future__ import annotations

RESERVED = frozenset(
    """
    abort access accessible add aes128 aes256 after aggregate all allowoverwrite alter always analyse analyze and anti
    any append array as asc asensitive asof assert_rows_modified asymmetric at attach audit authorization
    autoincrement az64 backup bearer bearer_token before begin between bigint binary bit blanksasnull blob boolean
    both break browse bulk by bytedict cache call cascade case cast change changed_page_bitmaps char character check
    checkpoint client_statistics clone close cluster clustered coalesce collate collation column column_value comment
    commit commutator compress comprows compupdate compute concurrently condition conf conflict connect
    connect_by_root connection constraint contains containstable continue convert corresponding create credentials
    cross cube cume_dist current current_catalog current_date current_path current_role current_schema current_time
    current_timestamp current_user current_user_id cursor database databases date datetime day_hour day_microsecond
    day_minute day_second dayofweek dbcc deallocate dec decimal declare default deferrable deferred define definition
    defrag delayed delete delete_domain_id deleting delimiters delta delta32k dense_rank deny desc describe detach
    deterministic disable disk distinct distinctrow distribute distributed div do do_domain_ids double drop dual dump
    each else elseif empty emptyasnull enable enclosed encrypt encryption end enum errlvl escape escaped except
    exchange exclude exclusive exec execute exists exit explain explicit_ids extend extended external extract fail
    false fetch file fillfactor fillrecord filter first first_value float float4 float8 floor following for force
    foreign freetext freetexttable freeze from full fulltext function general generated get glob globaldict256
    globaldict64k go goto grant greatest group grouping groups gscluster hash hashes having high_priority holdlock
    hour_microsecond hour_minute hour_second hybrid identified identity identity_insert identitycol if ignore
    ignore_domain_ids ignore_server_ids ignoreblanklines ignoreheader ilike immediate import in include increment
    index index_statistics indexed indextype inf infile infinity initial initially inner inout insensitive insert
    insert_only inserting instead int int1 int2 int3 int4 int8 integer intersect interval into invisible
    io_after_gtids io_before_gtids is isnull iterate join json json_array json_arrayagg json_exists json_object
    json_objectagg json_query json_table json_value key keys kill lag lambda last_value lateral lead leading least
    leave left less level like limit linear lineno lines listagg load local localtime localtimestamp lock logging long
    longblob longtext lookup loop low_priority lun luns lzo macro map master_bind master_demote_to_replica
    master_demote_to_slave master_heartbeat_period master_ssl_verify_server_cert match match_condition match_recognize
    materialized maxextents maxvalue mediumblob mediumint mediumtext merge merges middleint minus minute_microsecond
    minute_second mlslabel mod mode modifies modify monitoring more mostly16 mostly32 mostly8 multiset nan nan_sql
    national natural nchar negator nested_table_id new no no_write_to_binlog noaudit nocheck nocompress nologging
    nomonitoring nonclustered none noreverse normalize not nothing notnull nowait nth_value ntile null null_if nullif
    nulls number numeric of off offline offset offsets oid old on online only open opendatasource openquery openrowset
    openxml operator optimize optimizer_costs option optionally or order others out outer outfile over overflow
    overlaps overlay page_checksum parallel parameters parse_vcol_expr partialscan partition pctfree percent
    percent_rank permissions pivot pivot_longer pivot_wider placing plan portion position positional pragma preceding
    precision prepare preserve primary print prior private proc procedure prompt proto public purge qualify query
    raise raiserror range rank raw read read_write readratio reads readtext real rebuild reconfigure recover recursive
    reduce ref_system_id references regexp reindex rejectlog release rename repeat replace replication require
    resignal resort resource respect restore restrict return returning reverse revert revoke right rightarg rlike
    rollback rollup row row_number rowcount rowguidcol rowid rownum rows rule runlength sample save savepoint schema
    schemas second_microsecond securityaudit select semantickeyphrasetable semanticsimilaritydetailstable
    semanticsimilaritytable semi sensitive separator session session_user set setof setuser share show shutdown
    siblings signal similar size skip slow smallint snapshot some sort spatial specific sql sql_big_result
    sql_buffer_result sql_cache sql_calc_found_rows sql_no_cache sql_small_result sqlexception sqlstate sqlwarning ssl
    start starting statistics stats_auto_recalc stats_persistent stats_sample_pages stored straight_join strict struct
    substring successful summarize symmetric sync synonym sysdate system system_user table tablesample tag tdes temp
    temporary terminated text255 text32k textsize then time timestamp tinyblob tinyint tinytext to top trailing tran
    transaction transform treat trigger trim true truncate truncatecolumns try_cast try_convert tsequal uescape uid
    unbounded undo union unique uniquejoin unknown unlock unnest unpack unpivot unsigned unusable update updatetext
    updating usage use user using utc_date utc_time utc_timestamp utc_tmestamp vacuum validate values varbinary
    varchar varchar2 varcharacter variadic varying verbose view views virtual visible waitfor when whenever where
    while window with within without write writetext xmlattributes xmlconcat xmlelement xmlexists xmlforest
    xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable xor year_month zerofill
    """.split()  # noqa: SIM905  a paragraph of words is read more easily than a list of strings
)
"""What is no name without quotes as a column, an alias, a table or a function in one dialect at least.

The engines that can be run were asked word by word; of the others it is what their documentation reserves.
"""
