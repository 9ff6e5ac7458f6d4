-- recidivism: 11 terms in Trino
-- the prediction is 1 / (1 + exp(-score)), of the raw score
-- 0.5e0 is a double, 0.5 a decimal
WITH
curvec_columns AS (
    SELECT
        t.charge,
        t.kind,
        t."post code",
        t.id,
        CAST(t.age AS DOUBLE) AS age,
        CAST(t."priors count" AS DOUBLE) AS "priors count",
        CAST(t.kind AS DOUBLE) AS kind_number,
        CAST(t.felony AS DOUBLE) AS felony,
        CAST(t.balance AS DOUBLE) AS balance,
        CAST(t."score 2" AS DOUBLE) AS "score 2"
    FROM cases AS t
),

curvec_levels_1_post_code (level_key, level_value) AS (
    VALUES
    ('1000', 0e0),
    ('1001', 0.0625e0),
    ('1002', 0.125e0),
    ('1003', 0.1875e0),
    ('1004', 0.25e0),
    ('1005', 0.3125e0),
    ('1006', 0.375e0),
    ('1007', 0.4375e0),
    ('1008', 0.5e0),
    ('1009', 0.5625e0),
    ('1010', 0.625e0),
    ('1011', 0.6875e0),
    ('1012', 0.75e0),
    ('1013', 0.8125e0),
    ('1014', 0.875e0),
    ('1015', 0.9375e0),
    ('1016', 1e0),
    ('1017', 1.0625e0),
    ('1018', 1.125e0),
    ('1019', 1.1875e0),
    ('1020', 1.25e0),
    ('1021', 1.3125e0),
    ('1022', 1.375e0),
    ('1023', 1.4375e0),
    ('1024', 1.5e0),
    ('1025', 1.5625e0),
    ('1026', 1.625e0),
    ('1027', 1.6875e0),
    ('1028', 1.75e0),
    ('1029', 1.8125e0),
    ('1030', 1.875e0),
    ('1031', 1.9375e0),
    ('1032', 2e0),
    ('1033', 2.0625e0),
    ('1034', 2.125e0),
    ('1035', 2.1875e0),
    ('1036', 2.25e0),
    ('1037', 2.3125e0),
    ('1038', 2.375e0),
    ('1039', 2.4375e0),
    ('1040', 2.5e0),
    ('1041', 2.5625e0),
    ('1042', 2.625e0),
    ('1043', 2.6875e0),
    ('1044', 2.75e0),
    ('1045', 2.8125e0),
    ('1046', 2.875e0),
    ('1047', 2.9375e0),
    ('1048', 3e0),
    ('1049', 3.0625e0),
    ('1050', 3.125e0),
    ('1051', 3.1875e0),
    ('1052', 3.25e0),
    ('1053', 3.3125e0),
    ('1054', 3.375e0),
    ('1055', 3.4375e0),
    ('1056', 3.5e0),
    ('1057', 3.5625e0),
    ('1058', 3.625e0),
    ('1059', 3.6875e0),
    ('1060', 3.75e0),
    ('1061', 3.8125e0),
    ('1062', 3.875e0),
    ('1063', 3.9375e0),
    ('1064', 4e0),
    ('1065', 4.0625e0),
    ('1066', 4.125e0),
    ('1067', 4.1875e0),
    ('1068', 4.25e0),
    ('1069', 4.3125e0),
    ('1070', 4.375e0),
    ('1071', 4.4375e0),
    ('1072', 4.5e0),
    ('1073', 4.5625e0),
    ('1074', 4.625e0),
    ('1075', 4.6875e0),
    ('1076', 4.75e0),
    ('1077', 4.8125e0),
    ('1078', 4.875e0),
    ('1079', 4.9375e0),
    ('1080', 5e0),
    ('1081', 5.0625e0),
    ('1082', 5.125e0),
    ('1083', 5.1875e0),
    ('1084', 5.25e0),
    ('1085', 5.3125e0),
    ('1086', 5.375e0),
    ('1087', 5.4375e0),
    ('1088', 5.5e0),
    ('1089', 5.5625e0),
    ('1090', 5.625e0),
    ('1091', 5.6875e0),
    ('1092', 5.75e0),
    ('1093', 5.8125e0),
    ('1094', 5.875e0),
    ('1095', 5.9375e0),
    ('1096', 6e0),
    ('1097', 6.0625e0),
    ('1098', 6.125e0),
    ('1099', 6.1875e0),
    ('1100', 6.25e0),
    ('1101', 6.3125e0),
    ('1102', 6.375e0),
    ('1103', 6.4375e0),
    ('1104', 6.5e0),
    ('1105', 6.5625e0),
    ('1106', 6.625e0),
    ('1107', 6.6875e0),
    ('1108', 6.75e0),
    ('1109', 6.8125e0),
    ('1110', 6.875e0),
    ('1111', 6.9375e0),
    ('1112', 7e0),
    ('1113', 7.0625e0),
    ('1114', 7.125e0),
    ('1115', 7.1875e0),
    ('1116', 7.25e0),
    ('1117', 7.3125e0),
    ('1118', 7.375e0),
    ('1119', 7.4375e0),
    ('1120', 7.5e0),
    ('1121', 7.5625e0),
    ('1122', 7.625e0),
    ('1123', 7.6875e0),
    ('1124', 7.75e0),
    ('1125', 7.8125e0),
    ('1126', 7.875e0),
    ('1127', 7.9375e0),
    ('1128', 8e0),
    ('1129', 8.0625e0),
    ('1130', 8.125e0),
    ('1131', 8.1875e0),
    ('1132', 8.25e0),
    ('1133', 8.3125e0),
    ('1134', 8.375e0),
    ('1135', 8.4375e0),
    ('1136', 8.5e0),
    ('1137', 8.5625e0),
    ('1138', 8.625e0),
    ('1139', 8.6875e0),
    ('1140', 8.75e0),
    ('1141', 8.8125e0),
    ('1142', 8.875e0),
    ('1143', 8.9375e0),
    ('1144', 9e0),
    ('1145', 9.0625e0),
    ('1146', 9.125e0),
    ('1147', 9.1875e0),
    ('1148', 9.25e0),
    ('1149', 9.3125e0),
    ('1150', 9.375e0),
    ('1151', 9.4375e0),
    ('1152', 9.5e0),
    ('1153', 9.5625e0),
    ('1154', 9.625e0),
    ('1155', 9.6875e0),
    ('1156', 9.75e0),
    ('1157', 9.8125e0),
    ('1158', 9.875e0),
    ('1159', 9.9375e0),
    ('1160', 10e0),
    ('1161', 10.0625e0),
    ('1162', 10.125e0),
    ('1163', 10.1875e0),
    ('1164', 10.25e0),
    ('1165', 10.3125e0),
    ('1166', 10.375e0),
    ('1167', 10.4375e0),
    ('1168', 10.5e0),
    ('1169', 10.5625e0),
    ('1170', 10.625e0),
    ('1171', 10.6875e0),
    ('1172', 10.75e0),
    ('1173', 10.8125e0),
    ('1174', 10.875e0),
    ('1175', 10.9375e0),
    ('1176', 11e0),
    ('1177', 11.0625e0),
    ('1178', 11.125e0),
    ('1179', 11.1875e0),
    ('1180', 11.25e0),
    ('1181', 11.3125e0),
    ('1182', 11.375e0),
    ('1183', 11.4375e0),
    ('1184', 11.5e0),
    ('1185', 11.5625e0),
    ('1186', 11.625e0),
    ('1187', 11.6875e0),
    ('1188', 11.75e0),
    ('1189', 11.8125e0),
    ('1190', 11.875e0),
    ('1191', 11.9375e0),
    ('1192', 12e0),
    ('1193', 12.0625e0),
    ('1194', 12.125e0),
    ('1195', 12.1875e0),
    ('1196', 12.25e0),
    ('1197', 12.3125e0),
    ('1198', 12.375e0),
    ('1199', 12.4375e0)
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
            WHEN t."post code" IS NULL THEN -1e0
            WHEN l1.level_key IS NOT NULL THEN l1.level_value
            ELSE 0e0
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
                WHEN "priors count" < 1 THEN -0.4e0
                WHEN "priors count" < 2.5e0 THEN 0.1e0
                WHEN "priors count" < 10 THEN 0.75e0
                WHEN "priors count" >= 10 THEN 1.9e0
            END
            -- balance: the value itself
            + CASE
                WHEN balance <= 0 OR balance >= 0 THEN balance
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
            WHEN age <= 18 THEN 3.13e0
            WHEN age < 21 THEN 3.13e0 - 16.468302331489937e0 * (LN(age) - 2.8903717578961645e0)
            WHEN age < 46 THEN 0.5914e0 - 1.6732155055468838e0 * (LN(age) - 3.044522437723423e0)
            WHEN age >= 46 THEN -0.7206e0
            ELSE 1.5e0
        END AS term_age,
        -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
        CASE
            WHEN "priors count" < 1 THEN -0.4e0
            WHEN "priors count" < 2.5e0 THEN 0.1e0
            WHEN "priors count" < 10 THEN 0.75e0
            WHEN "priors count" >= 10 THEN 1.9e0
        END AS term_priors_count,
        -- charge: "F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5; unseen 0.25
        CASE
            WHEN charge IS NULL THEN NULL
            WHEN charge = 'F' THEN 0.0198e0
            WHEN charge = 'M''' THEN -0.0384e0
            WHEN charge = ('Ünï' || CHR(10)) THEN 0.5e0
            ELSE 0.25e0
        END AS term_charge,
        -- kind: 1: 0.5, 2: -0.5; unseen 0.1; missing 0.2
        CASE
            WHEN kind = 1 THEN 0.5e0
            WHEN kind = 2 THEN -0.5e0
            WHEN kind_number <= 0 OR kind_number >= 0 THEN 0.1e0
            ELSE 0.2e0
        END AS term_kind,
        -- felony: True: 0.3, False: -0.3
        CASE
            WHEN felony = 1 THEN 0.3e0
            WHEN felony = 0 THEN -0.3e0
        END AS term_felony,
        -- balance: symlog1p, (-1000, 1), (0, 0), (1000, -2)
        CASE
            WHEN balance <= -1000 THEN 1e0
            WHEN balance < 0
                THEN 1 - 0.1447438839476537e0 * (
                    -(
                        CASE
                            WHEN 1 + (-balance) = 1 THEN (-balance)
                            ELSE LN(1 + (-balance)) * ((-balance) / ((1 + (-balance)) - 1))
                        END
                    ) + 6.90875477931522e0
                )
            WHEN balance < 1000
                THEN 0 - 0.2894877678953074e0 * (
                    CASE
                        WHEN 1 + balance = 1 THEN balance
                        ELSE LN(1 + balance) * (balance / ((1 + balance) - 1))
                    END
                )
            WHEN balance >= 1000 THEN -2e0
        END AS term_balance,
        -- balance: log1p, (-0.5, 0), (1e-07, 0.1), (7, -2)
        CASE
            WHEN balance <= -0.5e0 THEN 0e0
            WHEN balance < 1e-07
                THEN 0 + 0.14426948327521058e0 * (
                    CASE
                        WHEN 1 + balance = 1 THEN balance
                        ELSE LN(1 + balance) * (balance / ((1 + balance) - 1))
                    END + 0.6931471805599453e0
                )
            WHEN balance < 7 THEN 0.1e0 - 1.0098865771875507e0 * (LN(1 + balance) * (balance / ((1 + balance) - 1)) - 9.999999500000033e-08)
            WHEN balance >= 7 THEN -2e0
        END AS term_balance_2,
        -- product of 2
        (
            -- sum of 2
            (
                -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
                CASE
                    WHEN age <= 18 THEN 3.13e0
                    WHEN age < 21 THEN 3.13e0 - 16.468302331489937e0 * (LN(age) - 2.8903717578961645e0)
                    WHEN age < 46 THEN 0.5914e0 - 1.6732155055468838e0 * (LN(age) - 3.044522437723423e0)
                    WHEN age >= 46 THEN -0.7206e0
                    ELSE 1.5e0
                END
                -- charge: "F": 0.0198, "M'": -0.0384, "Ünï\n": 0.5; unseen 0.25
                + CASE
                    WHEN charge IS NULL THEN NULL
                    WHEN charge = 'F' THEN 0.0198e0
                    WHEN charge = 'M''' THEN -0.0384e0
                    WHEN charge = ('Ünï' || CHR(10)) THEN 0.5e0
                    ELSE 0.25e0
                END
            )
            -- balance: the value itself
            * CASE
                WHEN balance <= 0 OR balance >= 0 THEN balance
            END
        ) AS term_age_charge_balance,
        -- a sum of 2: (0, 0.1), (1, 0.3)
        CASE
            WHEN sum_priors_count_balance <= 0 THEN 0.1e0
            WHEN sum_priors_count_balance < 1 THEN 0.1e0 + 0.19999999999999998e0 * sum_priors_count_balance
            WHEN sum_priors_count_balance >= 1 THEN 0.3e0
        END AS term_priors_count_balance,
        -- score 2: 0, then from (0, 0.1), (0.125, 0.2), (0.25, 0.3), ... (8.625, 0): 70 cuts
        CASE
            WHEN "score 2" < 0 THEN 0e0
            WHEN "score 2" < 0.125e0 THEN 0.1e0
            WHEN "score 2" < 0.25e0 THEN 0.2e0
            WHEN "score 2" < 0.375e0 THEN 0.3e0
            WHEN "score 2" < 0.5e0 THEN 0.4e0
            WHEN "score 2" < 0.625e0 THEN 0.5e0
            WHEN "score 2" < 0.75e0 THEN 0.6e0
            WHEN "score 2" < 0.875e0 THEN 0e0
            WHEN "score 2" < 1 THEN 0.1e0
            WHEN "score 2" < 1.125e0 THEN 0.2e0
            WHEN "score 2" < 1.25e0 THEN 0.3e0
            WHEN "score 2" < 1.375e0 THEN 0.4e0
            WHEN "score 2" < 1.5e0 THEN 0.5e0
            WHEN "score 2" < 1.625e0 THEN 0.6e0
            WHEN "score 2" < 1.75e0 THEN 0e0
            WHEN "score 2" < 1.875e0 THEN 0.1e0
            WHEN "score 2" < 2 THEN 0.2e0
            WHEN "score 2" < 2.125e0 THEN 0.3e0
            WHEN "score 2" < 2.25e0 THEN 0.4e0
            WHEN "score 2" < 2.375e0 THEN 0.5e0
            WHEN "score 2" < 2.5e0 THEN 0.6e0
            WHEN "score 2" < 2.625e0 THEN 0e0
            WHEN "score 2" < 2.75e0 THEN 0.1e0
            WHEN "score 2" < 2.875e0 THEN 0.2e0
            WHEN "score 2" < 3 THEN 0.3e0
            WHEN "score 2" < 3.125e0 THEN 0.4e0
            WHEN "score 2" < 3.25e0 THEN 0.5e0
            WHEN "score 2" < 3.375e0 THEN 0.6e0
            WHEN "score 2" < 3.5e0 THEN 0e0
            WHEN "score 2" < 3.625e0 THEN 0.1e0
            WHEN "score 2" < 3.75e0 THEN 0.2e0
            WHEN "score 2" < 3.875e0 THEN 0.3e0
            WHEN "score 2" < 4 THEN 0.4e0
            WHEN "score 2" < 4.125e0 THEN 0.5e0
            WHEN "score 2" < 4.25e0 THEN 0.6e0
            WHEN "score 2" < 4.375e0 THEN 0e0
            WHEN "score 2" < 4.5e0 THEN 0.1e0
            WHEN "score 2" < 4.625e0 THEN 0.2e0
            WHEN "score 2" < 4.75e0 THEN 0.3e0
            WHEN "score 2" < 4.875e0 THEN 0.4e0
            WHEN "score 2" < 5 THEN 0.5e0
            WHEN "score 2" < 5.125e0 THEN 0.6e0
            WHEN "score 2" < 5.25e0 THEN 0e0
            WHEN "score 2" < 5.375e0 THEN 0.1e0
            WHEN "score 2" < 5.5e0 THEN 0.2e0
            WHEN "score 2" < 5.625e0 THEN 0.3e0
            WHEN "score 2" < 5.75e0 THEN 0.4e0
            WHEN "score 2" < 5.875e0 THEN 0.5e0
            WHEN "score 2" < 6 THEN 0.6e0
            WHEN "score 2" < 6.125e0 THEN 0e0
            WHEN "score 2" < 6.25e0 THEN 0.1e0
            WHEN "score 2" < 6.375e0 THEN 0.2e0
            WHEN "score 2" < 6.5e0 THEN 0.3e0
            WHEN "score 2" < 6.625e0 THEN 0.4e0
            WHEN "score 2" < 6.75e0 THEN 0.5e0
            WHEN "score 2" < 6.875e0 THEN 0.6e0
            WHEN "score 2" < 7 THEN 0e0
            WHEN "score 2" < 7.125e0 THEN 0.1e0
            WHEN "score 2" < 7.25e0 THEN 0.2e0
            WHEN "score 2" < 7.375e0 THEN 0.3e0
            WHEN "score 2" < 7.5e0 THEN 0.4e0
            WHEN "score 2" < 7.625e0 THEN 0.5e0
            WHEN "score 2" < 7.75e0 THEN 0.6e0
            WHEN "score 2" < 7.875e0 THEN 0e0
            WHEN "score 2" < 8 THEN 0.1e0
            WHEN "score 2" < 8.125e0 THEN 0.2e0
            WHEN "score 2" < 8.25e0 THEN 0.3e0
            WHEN "score 2" < 8.375e0 THEN 0.4e0
            WHEN "score 2" < 8.5e0 THEN 0.5e0
            WHEN "score 2" < 8.625e0 THEN 0.6e0
            WHEN "score 2" >= 8.625e0 THEN 0e0
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
            -1.25e0
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
                WHEN score < -700 THEN -700e0
                WHEN score < 0 THEN score
                WHEN score <= 700 THEN -score
                WHEN score > 700 THEN -700e0
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
