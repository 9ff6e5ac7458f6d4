-- recidivism: 11 terms in H2
-- the prediction is 1 / (1 + exp(-score)), of the raw score
-- NaN is above all numbers, so x >= 2 is written -x <= -2, which is false for NaN
WITH
curvec_columns AS (
    SELECT
        t.kind,
        t.id,
        CAST(t.age AS DOUBLE PRECISION) AS age,
        CAST(t."priors count" AS DOUBLE PRECISION) AS "priors count",
        CAST(t.kind AS DOUBLE PRECISION) AS kind_number,
        CAST(t.felony AS INTEGER) AS felony,
        CAST(t.balance AS DOUBLE PRECISION) AS balance,
        CAST(t."score 2" AS DOUBLE PRECISION) AS "score 2",
        CAST(CASE WHEN t.charge = RTRIM(t.charge) THEN RTRIM(t.charge) ELSE CAST(t.charge AS VARCHAR) END AS VARBINARY) AS charge,
        CAST(CASE WHEN t."post code" = RTRIM(t."post code") THEN RTRIM(t."post code") ELSE CAST(t."post code" AS VARCHAR) END AS VARBINARY) AS "post code"
    FROM cases AS t
),

curvec_levels_1_post_code (level_key, level_value) AS (
    VALUES
    (CAST('1000' AS VARBINARY), 0e0::FLOAT8),
    (CAST('1001' AS VARBINARY), 0.0625e0::FLOAT8),
    (CAST('1002' AS VARBINARY), 0.125e0::FLOAT8),
    (CAST('1003' AS VARBINARY), 0.1875e0::FLOAT8),
    (CAST('1004' AS VARBINARY), 0.25e0::FLOAT8),
    (CAST('1005' AS VARBINARY), 0.3125e0::FLOAT8),
    (CAST('1006' AS VARBINARY), 0.375e0::FLOAT8),
    (CAST('1007' AS VARBINARY), 0.4375e0::FLOAT8),
    (CAST('1008' AS VARBINARY), 0.5e0::FLOAT8),
    (CAST('1009' AS VARBINARY), 0.5625e0::FLOAT8),
    (CAST('1010' AS VARBINARY), 0.625e0::FLOAT8),
    (CAST('1011' AS VARBINARY), 0.6875e0::FLOAT8),
    (CAST('1012' AS VARBINARY), 0.75e0::FLOAT8),
    (CAST('1013' AS VARBINARY), 0.8125e0::FLOAT8),
    (CAST('1014' AS VARBINARY), 0.875e0::FLOAT8),
    (CAST('1015' AS VARBINARY), 0.9375e0::FLOAT8),
    (CAST('1016' AS VARBINARY), 1e0::FLOAT8),
    (CAST('1017' AS VARBINARY), 1.0625e0::FLOAT8),
    (CAST('1018' AS VARBINARY), 1.125e0::FLOAT8),
    (CAST('1019' AS VARBINARY), 1.1875e0::FLOAT8),
    (CAST('1020' AS VARBINARY), 1.25e0::FLOAT8),
    (CAST('1021' AS VARBINARY), 1.3125e0::FLOAT8),
    (CAST('1022' AS VARBINARY), 1.375e0::FLOAT8),
    (CAST('1023' AS VARBINARY), 1.4375e0::FLOAT8),
    (CAST('1024' AS VARBINARY), 1.5e0::FLOAT8),
    (CAST('1025' AS VARBINARY), 1.5625e0::FLOAT8),
    (CAST('1026' AS VARBINARY), 1.625e0::FLOAT8),
    (CAST('1027' AS VARBINARY), 1.6875e0::FLOAT8),
    (CAST('1028' AS VARBINARY), 1.75e0::FLOAT8),
    (CAST('1029' AS VARBINARY), 1.8125e0::FLOAT8),
    (CAST('1030' AS VARBINARY), 1.875e0::FLOAT8),
    (CAST('1031' AS VARBINARY), 1.9375e0::FLOAT8),
    (CAST('1032' AS VARBINARY), 2e0::FLOAT8),
    (CAST('1033' AS VARBINARY), 2.0625e0::FLOAT8),
    (CAST('1034' AS VARBINARY), 2.125e0::FLOAT8),
    (CAST('1035' AS VARBINARY), 2.1875e0::FLOAT8),
    (CAST('1036' AS VARBINARY), 2.25e0::FLOAT8),
    (CAST('1037' AS VARBINARY), 2.3125e0::FLOAT8),
    (CAST('1038' AS VARBINARY), 2.375e0::FLOAT8),
    (CAST('1039' AS VARBINARY), 2.4375e0::FLOAT8),
    (CAST('1040' AS VARBINARY), 2.5e0::FLOAT8),
    (CAST('1041' AS VARBINARY), 2.5625e0::FLOAT8),
    (CAST('1042' AS VARBINARY), 2.625e0::FLOAT8),
    (CAST('1043' AS VARBINARY), 2.6875e0::FLOAT8),
    (CAST('1044' AS VARBINARY), 2.75e0::FLOAT8),
    (CAST('1045' AS VARBINARY), 2.8125e0::FLOAT8),
    (CAST('1046' AS VARBINARY), 2.875e0::FLOAT8),
    (CAST('1047' AS VARBINARY), 2.9375e0::FLOAT8),
    (CAST('1048' AS VARBINARY), 3e0::FLOAT8),
    (CAST('1049' AS VARBINARY), 3.0625e0::FLOAT8),
    (CAST('1050' AS VARBINARY), 3.125e0::FLOAT8),
    (CAST('1051' AS VARBINARY), 3.1875e0::FLOAT8),
    (CAST('1052' AS VARBINARY), 3.25e0::FLOAT8),
    (CAST('1053' AS VARBINARY), 3.3125e0::FLOAT8),
    (CAST('1054' AS VARBINARY), 3.375e0::FLOAT8),
    (CAST('1055' AS VARBINARY), 3.4375e0::FLOAT8),
    (CAST('1056' AS VARBINARY), 3.5e0::FLOAT8),
    (CAST('1057' AS VARBINARY), 3.5625e0::FLOAT8),
    (CAST('1058' AS VARBINARY), 3.625e0::FLOAT8),
    (CAST('1059' AS VARBINARY), 3.6875e0::FLOAT8),
    (CAST('1060' AS VARBINARY), 3.75e0::FLOAT8),
    (CAST('1061' AS VARBINARY), 3.8125e0::FLOAT8),
    (CAST('1062' AS VARBINARY), 3.875e0::FLOAT8),
    (CAST('1063' AS VARBINARY), 3.9375e0::FLOAT8),
    (CAST('1064' AS VARBINARY), 4e0::FLOAT8),
    (CAST('1065' AS VARBINARY), 4.0625e0::FLOAT8),
    (CAST('1066' AS VARBINARY), 4.125e0::FLOAT8),
    (CAST('1067' AS VARBINARY), 4.1875e0::FLOAT8),
    (CAST('1068' AS VARBINARY), 4.25e0::FLOAT8),
    (CAST('1069' AS VARBINARY), 4.3125e0::FLOAT8),
    (CAST('1070' AS VARBINARY), 4.375e0::FLOAT8),
    (CAST('1071' AS VARBINARY), 4.4375e0::FLOAT8),
    (CAST('1072' AS VARBINARY), 4.5e0::FLOAT8),
    (CAST('1073' AS VARBINARY), 4.5625e0::FLOAT8),
    (CAST('1074' AS VARBINARY), 4.625e0::FLOAT8),
    (CAST('1075' AS VARBINARY), 4.6875e0::FLOAT8),
    (CAST('1076' AS VARBINARY), 4.75e0::FLOAT8),
    (CAST('1077' AS VARBINARY), 4.8125e0::FLOAT8),
    (CAST('1078' AS VARBINARY), 4.875e0::FLOAT8),
    (CAST('1079' AS VARBINARY), 4.9375e0::FLOAT8),
    (CAST('1080' AS VARBINARY), 5e0::FLOAT8),
    (CAST('1081' AS VARBINARY), 5.0625e0::FLOAT8),
    (CAST('1082' AS VARBINARY), 5.125e0::FLOAT8),
    (CAST('1083' AS VARBINARY), 5.1875e0::FLOAT8),
    (CAST('1084' AS VARBINARY), 5.25e0::FLOAT8),
    (CAST('1085' AS VARBINARY), 5.3125e0::FLOAT8),
    (CAST('1086' AS VARBINARY), 5.375e0::FLOAT8),
    (CAST('1087' AS VARBINARY), 5.4375e0::FLOAT8),
    (CAST('1088' AS VARBINARY), 5.5e0::FLOAT8),
    (CAST('1089' AS VARBINARY), 5.5625e0::FLOAT8),
    (CAST('1090' AS VARBINARY), 5.625e0::FLOAT8),
    (CAST('1091' AS VARBINARY), 5.6875e0::FLOAT8),
    (CAST('1092' AS VARBINARY), 5.75e0::FLOAT8),
    (CAST('1093' AS VARBINARY), 5.8125e0::FLOAT8),
    (CAST('1094' AS VARBINARY), 5.875e0::FLOAT8),
    (CAST('1095' AS VARBINARY), 5.9375e0::FLOAT8),
    (CAST('1096' AS VARBINARY), 6e0::FLOAT8),
    (CAST('1097' AS VARBINARY), 6.0625e0::FLOAT8),
    (CAST('1098' AS VARBINARY), 6.125e0::FLOAT8),
    (CAST('1099' AS VARBINARY), 6.1875e0::FLOAT8),
    (CAST('1100' AS VARBINARY), 6.25e0::FLOAT8),
    (CAST('1101' AS VARBINARY), 6.3125e0::FLOAT8),
    (CAST('1102' AS VARBINARY), 6.375e0::FLOAT8),
    (CAST('1103' AS VARBINARY), 6.4375e0::FLOAT8),
    (CAST('1104' AS VARBINARY), 6.5e0::FLOAT8),
    (CAST('1105' AS VARBINARY), 6.5625e0::FLOAT8),
    (CAST('1106' AS VARBINARY), 6.625e0::FLOAT8),
    (CAST('1107' AS VARBINARY), 6.6875e0::FLOAT8),
    (CAST('1108' AS VARBINARY), 6.75e0::FLOAT8),
    (CAST('1109' AS VARBINARY), 6.8125e0::FLOAT8),
    (CAST('1110' AS VARBINARY), 6.875e0::FLOAT8),
    (CAST('1111' AS VARBINARY), 6.9375e0::FLOAT8),
    (CAST('1112' AS VARBINARY), 7e0::FLOAT8),
    (CAST('1113' AS VARBINARY), 7.0625e0::FLOAT8),
    (CAST('1114' AS VARBINARY), 7.125e0::FLOAT8),
    (CAST('1115' AS VARBINARY), 7.1875e0::FLOAT8),
    (CAST('1116' AS VARBINARY), 7.25e0::FLOAT8),
    (CAST('1117' AS VARBINARY), 7.3125e0::FLOAT8),
    (CAST('1118' AS VARBINARY), 7.375e0::FLOAT8),
    (CAST('1119' AS VARBINARY), 7.4375e0::FLOAT8),
    (CAST('1120' AS VARBINARY), 7.5e0::FLOAT8),
    (CAST('1121' AS VARBINARY), 7.5625e0::FLOAT8),
    (CAST('1122' AS VARBINARY), 7.625e0::FLOAT8),
    (CAST('1123' AS VARBINARY), 7.6875e0::FLOAT8),
    (CAST('1124' AS VARBINARY), 7.75e0::FLOAT8),
    (CAST('1125' AS VARBINARY), 7.8125e0::FLOAT8),
    (CAST('1126' AS VARBINARY), 7.875e0::FLOAT8),
    (CAST('1127' AS VARBINARY), 7.9375e0::FLOAT8),
    (CAST('1128' AS VARBINARY), 8e0::FLOAT8),
    (CAST('1129' AS VARBINARY), 8.0625e0::FLOAT8),
    (CAST('1130' AS VARBINARY), 8.125e0::FLOAT8),
    (CAST('1131' AS VARBINARY), 8.1875e0::FLOAT8),
    (CAST('1132' AS VARBINARY), 8.25e0::FLOAT8),
    (CAST('1133' AS VARBINARY), 8.3125e0::FLOAT8),
    (CAST('1134' AS VARBINARY), 8.375e0::FLOAT8),
    (CAST('1135' AS VARBINARY), 8.4375e0::FLOAT8),
    (CAST('1136' AS VARBINARY), 8.5e0::FLOAT8),
    (CAST('1137' AS VARBINARY), 8.5625e0::FLOAT8),
    (CAST('1138' AS VARBINARY), 8.625e0::FLOAT8),
    (CAST('1139' AS VARBINARY), 8.6875e0::FLOAT8),
    (CAST('1140' AS VARBINARY), 8.75e0::FLOAT8),
    (CAST('1141' AS VARBINARY), 8.8125e0::FLOAT8),
    (CAST('1142' AS VARBINARY), 8.875e0::FLOAT8),
    (CAST('1143' AS VARBINARY), 8.9375e0::FLOAT8),
    (CAST('1144' AS VARBINARY), 9e0::FLOAT8),
    (CAST('1145' AS VARBINARY), 9.0625e0::FLOAT8),
    (CAST('1146' AS VARBINARY), 9.125e0::FLOAT8),
    (CAST('1147' AS VARBINARY), 9.1875e0::FLOAT8),
    (CAST('1148' AS VARBINARY), 9.25e0::FLOAT8),
    (CAST('1149' AS VARBINARY), 9.3125e0::FLOAT8),
    (CAST('1150' AS VARBINARY), 9.375e0::FLOAT8),
    (CAST('1151' AS VARBINARY), 9.4375e0::FLOAT8),
    (CAST('1152' AS VARBINARY), 9.5e0::FLOAT8),
    (CAST('1153' AS VARBINARY), 9.5625e0::FLOAT8),
    (CAST('1154' AS VARBINARY), 9.625e0::FLOAT8),
    (CAST('1155' AS VARBINARY), 9.6875e0::FLOAT8),
    (CAST('1156' AS VARBINARY), 9.75e0::FLOAT8),
    (CAST('1157' AS VARBINARY), 9.8125e0::FLOAT8),
    (CAST('1158' AS VARBINARY), 9.875e0::FLOAT8),
    (CAST('1159' AS VARBINARY), 9.9375e0::FLOAT8),
    (CAST('1160' AS VARBINARY), 10e0::FLOAT8),
    (CAST('1161' AS VARBINARY), 10.0625e0::FLOAT8),
    (CAST('1162' AS VARBINARY), 10.125e0::FLOAT8),
    (CAST('1163' AS VARBINARY), 10.1875e0::FLOAT8),
    (CAST('1164' AS VARBINARY), 10.25e0::FLOAT8),
    (CAST('1165' AS VARBINARY), 10.3125e0::FLOAT8),
    (CAST('1166' AS VARBINARY), 10.375e0::FLOAT8),
    (CAST('1167' AS VARBINARY), 10.4375e0::FLOAT8),
    (CAST('1168' AS VARBINARY), 10.5e0::FLOAT8),
    (CAST('1169' AS VARBINARY), 10.5625e0::FLOAT8),
    (CAST('1170' AS VARBINARY), 10.625e0::FLOAT8),
    (CAST('1171' AS VARBINARY), 10.6875e0::FLOAT8),
    (CAST('1172' AS VARBINARY), 10.75e0::FLOAT8),
    (CAST('1173' AS VARBINARY), 10.8125e0::FLOAT8),
    (CAST('1174' AS VARBINARY), 10.875e0::FLOAT8),
    (CAST('1175' AS VARBINARY), 10.9375e0::FLOAT8),
    (CAST('1176' AS VARBINARY), 11e0::FLOAT8),
    (CAST('1177' AS VARBINARY), 11.0625e0::FLOAT8),
    (CAST('1178' AS VARBINARY), 11.125e0::FLOAT8),
    (CAST('1179' AS VARBINARY), 11.1875e0::FLOAT8),
    (CAST('1180' AS VARBINARY), 11.25e0::FLOAT8),
    (CAST('1181' AS VARBINARY), 11.3125e0::FLOAT8),
    (CAST('1182' AS VARBINARY), 11.375e0::FLOAT8),
    (CAST('1183' AS VARBINARY), 11.4375e0::FLOAT8),
    (CAST('1184' AS VARBINARY), 11.5e0::FLOAT8),
    (CAST('1185' AS VARBINARY), 11.5625e0::FLOAT8),
    (CAST('1186' AS VARBINARY), 11.625e0::FLOAT8),
    (CAST('1187' AS VARBINARY), 11.6875e0::FLOAT8),
    (CAST('1188' AS VARBINARY), 11.75e0::FLOAT8),
    (CAST('1189' AS VARBINARY), 11.8125e0::FLOAT8),
    (CAST('1190' AS VARBINARY), 11.875e0::FLOAT8),
    (CAST('1191' AS VARBINARY), 11.9375e0::FLOAT8),
    (CAST('1192' AS VARBINARY), 12e0::FLOAT8),
    (CAST('1193' AS VARBINARY), 12.0625e0::FLOAT8),
    (CAST('1194' AS VARBINARY), 12.125e0::FLOAT8),
    (CAST('1195' AS VARBINARY), 12.1875e0::FLOAT8),
    (CAST('1196' AS VARBINARY), 12.25e0::FLOAT8),
    (CAST('1197' AS VARBINARY), 12.3125e0::FLOAT8),
    (CAST('1198' AS VARBINARY), 12.375e0::FLOAT8),
    (CAST('1199' AS VARBINARY), 12.4375e0::FLOAT8)
),

curvec_joined AS (
    SELECT
        t.age,
        t."priors count",
        t.charge,
        t.kind,
        t.kind_number,
        t.felony,
        t.balance,
        t."score 2",
        t."post code",
        t.id,
        -- post code: "1000": 0, "1001": 0.0625, "1002": 0.125, ... "1199": 12.4375: 200 levels; unseen 0; missing -1
        CASE
            WHEN t."post code" IS NULL THEN -1e0::FLOAT8
            WHEN l1.level_key IS NOT NULL THEN l1.level_value
            ELSE 0e0::FLOAT8
        END AS value_post_code
    FROM curvec_columns AS t
    LEFT JOIN curvec_levels_1_post_code AS l1
        ON t."post code" = l1.level_key
),

curvec_nested_0 AS (
    SELECT
        age,
        "priors count",
        charge,
        kind,
        kind_number,
        felony,
        balance,
        "score 2",
        "post code",
        id,
        value_post_code,
        (
            -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
            CASE
                WHEN "priors count" < 1 THEN -0.4e0::FLOAT8
                WHEN "priors count" < 2.5e0::FLOAT8 THEN 0.1e0::FLOAT8
                WHEN "priors count" < 10 THEN 0.75e0::FLOAT8
                WHEN -"priors count" <= -10 THEN 1.9e0::FLOAT8
            END
            -- balance: the value itself
            + CASE
                WHEN balance <= 0 OR -balance <= 0 THEN balance
            END
        ) AS sum_priors_count_balance
    FROM curvec_joined
),

curvec_terms AS (
    SELECT
        id,
        -- post code: "1000": 0, "1001": 0.0625, "1002": 0.125, ... "1199": 12.4375: 200 levels; unseen 0; missing -1
        value_post_code AS term_post_code,
        -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
        CASE
            WHEN age <= 18 THEN 3.13e0::FLOAT8
            WHEN age < 21 THEN 3.13e0::FLOAT8 - 16.468302331489937e0::FLOAT8 * (LN(CASE WHEN age > 18 THEN age ELSE 18e0::FLOAT8 END) - 2.8903717578961645e0::FLOAT8)
            WHEN age < 46 THEN 0.5914e0::FLOAT8 - 1.6732155055468838e0::FLOAT8 * (LN(CASE WHEN age > 18 THEN age ELSE 18e0::FLOAT8 END) - 3.044522437723423e0::FLOAT8)
            WHEN -age <= -46 THEN -0.7206e0::FLOAT8
            ELSE 1.5e0::FLOAT8
        END AS term_age,
        -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
        CASE
            WHEN "priors count" < 1 THEN -0.4e0::FLOAT8
            WHEN "priors count" < 2.5e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "priors count" < 10 THEN 0.75e0::FLOAT8
            WHEN -"priors count" <= -10 THEN 1.9e0::FLOAT8
        END AS term_priors_count,
        -- charge: "F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5; unseen 0.25
        CASE
            WHEN charge IS NULL THEN NULL
            WHEN charge = CAST('F' AS VARBINARY) THEN 0.0198e0::FLOAT8
            WHEN charge = CAST('M''' AS VARBINARY) THEN -0.0384e0::FLOAT8
            WHEN charge = CAST(('Ünï' || CHR(10)) AS VARBINARY) THEN 0.5e0::FLOAT8
            ELSE 0.25e0::FLOAT8
        END AS term_charge,
        -- kind: 1: 0.5, 2: -0.5; unseen 0.1; missing 0.2
        CASE
            WHEN kind = 1 THEN 0.5e0::FLOAT8
            WHEN kind = 2 THEN -0.5e0::FLOAT8
            WHEN kind_number <= 0 OR -kind_number <= 0 THEN 0.1e0::FLOAT8
            ELSE 0.2e0::FLOAT8
        END AS term_kind,
        -- felony: True: 0.3, False: -0.3
        CASE
            WHEN felony = 1 THEN 0.3e0::FLOAT8
            WHEN felony = 0 THEN -0.3e0::FLOAT8
        END AS term_felony,
        -- balance: symlog1p, (-1000, 1), (0, 0), (1000, -2)
        CASE
            WHEN balance <= -1000 THEN 1e0::FLOAT8
            WHEN balance < 0
                THEN 1 - 0.1447438839476537e0::FLOAT8 * (
                    -(
                        CASE
                            WHEN 1 + (-balance) = 1 THEN (-balance)
                            ELSE LN(1 + CASE WHEN (-balance) > 0 THEN (-balance) ELSE 0e0::FLOAT8 END) * ((-balance) / NULLIF((1 + (-balance)) - 1, 0))
                        END
                    ) + 6.90875477931522e0::FLOAT8
                )
            WHEN balance < 1000
                THEN 0 - 0.2894877678953074e0::FLOAT8 * (
                    CASE
                        WHEN 1 + balance = 1 THEN balance
                        ELSE LN(1 + CASE WHEN balance > 0 THEN balance ELSE 0e0::FLOAT8 END) * (balance / NULLIF((1 + balance) - 1, 0))
                    END
                )
            WHEN -balance <= -1000 THEN -2e0::FLOAT8
        END AS term_balance,
        -- balance: log1p, (-0.5, 0), (1e-07, 0.1), (7, -2)
        CASE
            WHEN balance <= -0.5e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN balance < 1e-07::FLOAT8
                THEN 0 + 0.14426948327521058e0::FLOAT8 * (
                    CASE
                        WHEN 1 + balance = 1 THEN balance
                        ELSE LN(1 + CASE WHEN balance > -0.5e0::FLOAT8 THEN balance ELSE -0.5e0::FLOAT8 END) * (balance / NULLIF((1 + balance) - 1, 0))
                    END + 0.6931471805599453e0::FLOAT8
                )
            WHEN balance < 7 THEN 0.1e0::FLOAT8 - 1.0098865771875507e0::FLOAT8 * (LN(1 + CASE WHEN balance > -0.5e0::FLOAT8 THEN balance ELSE -0.5e0::FLOAT8 END) * (balance / NULLIF((1 + balance) - 1, 0)) - 9.999999500000033e-08::FLOAT8)
            WHEN -balance <= -7 THEN -2e0::FLOAT8
        END AS term_balance_2,
        -- product of 2
        (
            -- sum of 2
            (
                -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
                CASE
                    WHEN age <= 18 THEN 3.13e0::FLOAT8
                    WHEN age < 21 THEN 3.13e0::FLOAT8 - 16.468302331489937e0::FLOAT8 * (LN(CASE WHEN age > 18 THEN age ELSE 18e0::FLOAT8 END) - 2.8903717578961645e0::FLOAT8)
                    WHEN age < 46 THEN 0.5914e0::FLOAT8 - 1.6732155055468838e0::FLOAT8 * (LN(CASE WHEN age > 18 THEN age ELSE 18e0::FLOAT8 END) - 3.044522437723423e0::FLOAT8)
                    WHEN -age <= -46 THEN -0.7206e0::FLOAT8
                    ELSE 1.5e0::FLOAT8
                END
                -- charge: "F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5; unseen 0.25
                + CASE
                    WHEN charge IS NULL THEN NULL
                    WHEN charge = CAST('F' AS VARBINARY) THEN 0.0198e0::FLOAT8
                    WHEN charge = CAST('M''' AS VARBINARY) THEN -0.0384e0::FLOAT8
                    WHEN charge = CAST(('Ünï' || CHR(10)) AS VARBINARY) THEN 0.5e0::FLOAT8
                    ELSE 0.25e0::FLOAT8
                END
            )
            -- balance: the value itself
            * CASE
                WHEN balance <= 0 OR -balance <= 0 THEN balance
            END
        ) AS term_age_charge_balance,
        -- a sum of 2: (0, 0.1), (1, 0.3)
        CASE
            WHEN sum_priors_count_balance <= 0 THEN 0.1e0::FLOAT8
            WHEN sum_priors_count_balance < 1 THEN 0.1e0::FLOAT8 + 0.19999999999999998e0::FLOAT8 * sum_priors_count_balance
            WHEN -sum_priors_count_balance <= -1 THEN 0.3e0::FLOAT8
        END AS term_priors_count_balance,
        -- score 2: 0, then from (0, 0.1), (0.125, 0.2), (0.25, 0.3), ... (8.625, 0): 70 cuts
        CASE
            WHEN "score 2" < 0 THEN 0e0::FLOAT8
            WHEN "score 2" < 0.125e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 0.25e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 0.375e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 0.5e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 0.625e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 0.75e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 0.875e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN "score 2" < 1 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 1.125e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 1.25e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 1.375e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 1.5e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 1.625e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 1.75e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN "score 2" < 1.875e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 2 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 2.125e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 2.25e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 2.375e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 2.5e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 2.625e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN "score 2" < 2.75e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 2.875e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 3 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 3.125e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 3.25e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 3.375e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 3.5e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN "score 2" < 3.625e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 3.75e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 3.875e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 4 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 4.125e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 4.25e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 4.375e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN "score 2" < 4.5e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 4.625e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 4.75e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 4.875e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 5 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 5.125e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 5.25e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN "score 2" < 5.375e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 5.5e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 5.625e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 5.75e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 5.875e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 6 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 6.125e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN "score 2" < 6.25e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 6.375e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 6.5e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 6.625e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 6.75e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 6.875e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 7 THEN 0e0::FLOAT8
            WHEN "score 2" < 7.125e0::FLOAT8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 7.25e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 7.375e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 7.5e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 7.625e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 7.75e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN "score 2" < 7.875e0::FLOAT8 THEN 0e0::FLOAT8
            WHEN "score 2" < 8 THEN 0.1e0::FLOAT8
            WHEN "score 2" < 8.125e0::FLOAT8 THEN 0.2e0::FLOAT8
            WHEN "score 2" < 8.25e0::FLOAT8 THEN 0.3e0::FLOAT8
            WHEN "score 2" < 8.375e0::FLOAT8 THEN 0.4e0::FLOAT8
            WHEN "score 2" < 8.5e0::FLOAT8 THEN 0.5e0::FLOAT8
            WHEN "score 2" < 8.625e0::FLOAT8 THEN 0.6e0::FLOAT8
            WHEN -"score 2" <= -8.625e0::FLOAT8 THEN 0e0::FLOAT8
        END AS term_score_2
    FROM curvec_nested_0
),

curvec_scores AS (
    SELECT
        id,
        term_age,
        term_priors_count,
        term_charge,
        term_kind,
        term_felony,
        term_balance,
        term_balance_2,
        term_age_charge_balance,
        term_priors_count_balance,
        term_score_2,
        term_post_code,
        (
            -- intercept
            -1.25e0::FLOAT8
            + term_age
            + term_priors_count
            + term_charge
            + term_kind
            + term_felony
            + term_balance
            + term_balance_2
            + term_age_charge_balance
            + term_priors_count_balance
            + term_score_2
            + term_post_code
        ) AS score
    FROM curvec_terms
),

curvec_exponentials AS (
    SELECT
        id,
        term_age,
        term_priors_count,
        term_charge,
        term_kind,
        term_felony,
        term_balance,
        term_balance_2,
        term_age_charge_balance,
        term_priors_count_balance,
        term_score_2,
        term_post_code,
        score,
        EXP(
            CASE
                WHEN score < -700 THEN -700e0::FLOAT8
                WHEN score < 0 THEN score
                WHEN score <= 700 THEN -score
                WHEN -score < -700 THEN -700e0::FLOAT8
            END
        ) AS exponential
    FROM curvec_scores
)

SELECT
    id,
    term_age,
    term_priors_count,
    term_charge,
    term_kind,
    term_felony,
    term_balance,
    term_balance_2,
    term_age_charge_balance,
    term_priors_count_balance,
    term_score_2,
    term_post_code,
    score,
    CASE
        WHEN score < 0 THEN exponential / (1 + exponential)
        ELSE 1 / (1 + exponential)
    END AS prediction
FROM curvec_exponentials
