-- recidivism: 11 terms in SQL Server
WITH
curvec_input AS (
  SELECT
    CAST(t.[age] AS FLOAT) AS [age],
    CAST(t.[priors count] AS FLOAT) AS [priors count],
    CAST(CAST(t.[charge] AS NVARCHAR(MAX)) AS VARBINARY(MAX)) AS [charge],
    t.[kind] AS [kind],
    CAST(t.[felony] AS FLOAT) AS [felony],
    CAST(t.[balance] AS FLOAT) AS [balance],
    CAST(t.[score 2] AS FLOAT) AS [score 2],
    CAST(CAST(t.[post code] AS NVARCHAR(MAX)) AS VARBINARY(MAX)) AS [post code],
    t.[id] AS [id]
  FROM [cases] t
),
curvec_level_1 ([level], [value]) AS (
  SELECT * FROM (VALUES
    (CAST(N'1000' AS VARBINARY(MAX)), 0e0),
    (CAST(N'1001' AS VARBINARY(MAX)), 0.0625e0),
    (CAST(N'1002' AS VARBINARY(MAX)), 0.125e0),
    (CAST(N'1003' AS VARBINARY(MAX)), 0.1875e0),
    (CAST(N'1004' AS VARBINARY(MAX)), 0.25e0),
    (CAST(N'1005' AS VARBINARY(MAX)), 0.3125e0),
    (CAST(N'1006' AS VARBINARY(MAX)), 0.375e0),
    (CAST(N'1007' AS VARBINARY(MAX)), 0.4375e0),
    (CAST(N'1008' AS VARBINARY(MAX)), 0.5e0),
    (CAST(N'1009' AS VARBINARY(MAX)), 0.5625e0),
    (CAST(N'1010' AS VARBINARY(MAX)), 0.625e0),
    (CAST(N'1011' AS VARBINARY(MAX)), 0.6875e0),
    (CAST(N'1012' AS VARBINARY(MAX)), 0.75e0),
    (CAST(N'1013' AS VARBINARY(MAX)), 0.8125e0),
    (CAST(N'1014' AS VARBINARY(MAX)), 0.875e0),
    (CAST(N'1015' AS VARBINARY(MAX)), 0.9375e0),
    (CAST(N'1016' AS VARBINARY(MAX)), 1e0),
    (CAST(N'1017' AS VARBINARY(MAX)), 1.0625e0),
    (CAST(N'1018' AS VARBINARY(MAX)), 1.125e0),
    (CAST(N'1019' AS VARBINARY(MAX)), 1.1875e0),
    (CAST(N'1020' AS VARBINARY(MAX)), 1.25e0),
    (CAST(N'1021' AS VARBINARY(MAX)), 1.3125e0),
    (CAST(N'1022' AS VARBINARY(MAX)), 1.375e0),
    (CAST(N'1023' AS VARBINARY(MAX)), 1.4375e0),
    (CAST(N'1024' AS VARBINARY(MAX)), 1.5e0),
    (CAST(N'1025' AS VARBINARY(MAX)), 1.5625e0),
    (CAST(N'1026' AS VARBINARY(MAX)), 1.625e0),
    (CAST(N'1027' AS VARBINARY(MAX)), 1.6875e0),
    (CAST(N'1028' AS VARBINARY(MAX)), 1.75e0),
    (CAST(N'1029' AS VARBINARY(MAX)), 1.8125e0),
    (CAST(N'1030' AS VARBINARY(MAX)), 1.875e0),
    (CAST(N'1031' AS VARBINARY(MAX)), 1.9375e0),
    (CAST(N'1032' AS VARBINARY(MAX)), 2e0),
    (CAST(N'1033' AS VARBINARY(MAX)), 2.0625e0),
    (CAST(N'1034' AS VARBINARY(MAX)), 2.125e0),
    (CAST(N'1035' AS VARBINARY(MAX)), 2.1875e0),
    (CAST(N'1036' AS VARBINARY(MAX)), 2.25e0),
    (CAST(N'1037' AS VARBINARY(MAX)), 2.3125e0),
    (CAST(N'1038' AS VARBINARY(MAX)), 2.375e0),
    (CAST(N'1039' AS VARBINARY(MAX)), 2.4375e0),
    (CAST(N'1040' AS VARBINARY(MAX)), 2.5e0),
    (CAST(N'1041' AS VARBINARY(MAX)), 2.5625e0),
    (CAST(N'1042' AS VARBINARY(MAX)), 2.625e0),
    (CAST(N'1043' AS VARBINARY(MAX)), 2.6875e0),
    (CAST(N'1044' AS VARBINARY(MAX)), 2.75e0),
    (CAST(N'1045' AS VARBINARY(MAX)), 2.8125e0),
    (CAST(N'1046' AS VARBINARY(MAX)), 2.875e0),
    (CAST(N'1047' AS VARBINARY(MAX)), 2.9375e0),
    (CAST(N'1048' AS VARBINARY(MAX)), 3e0),
    (CAST(N'1049' AS VARBINARY(MAX)), 3.0625e0),
    (CAST(N'1050' AS VARBINARY(MAX)), 3.125e0),
    (CAST(N'1051' AS VARBINARY(MAX)), 3.1875e0),
    (CAST(N'1052' AS VARBINARY(MAX)), 3.25e0),
    (CAST(N'1053' AS VARBINARY(MAX)), 3.3125e0),
    (CAST(N'1054' AS VARBINARY(MAX)), 3.375e0),
    (CAST(N'1055' AS VARBINARY(MAX)), 3.4375e0),
    (CAST(N'1056' AS VARBINARY(MAX)), 3.5e0),
    (CAST(N'1057' AS VARBINARY(MAX)), 3.5625e0),
    (CAST(N'1058' AS VARBINARY(MAX)), 3.625e0),
    (CAST(N'1059' AS VARBINARY(MAX)), 3.6875e0),
    (CAST(N'1060' AS VARBINARY(MAX)), 3.75e0),
    (CAST(N'1061' AS VARBINARY(MAX)), 3.8125e0),
    (CAST(N'1062' AS VARBINARY(MAX)), 3.875e0),
    (CAST(N'1063' AS VARBINARY(MAX)), 3.9375e0),
    (CAST(N'1064' AS VARBINARY(MAX)), 4e0),
    (CAST(N'1065' AS VARBINARY(MAX)), 4.0625e0),
    (CAST(N'1066' AS VARBINARY(MAX)), 4.125e0),
    (CAST(N'1067' AS VARBINARY(MAX)), 4.1875e0),
    (CAST(N'1068' AS VARBINARY(MAX)), 4.25e0),
    (CAST(N'1069' AS VARBINARY(MAX)), 4.3125e0),
    (CAST(N'1070' AS VARBINARY(MAX)), 4.375e0),
    (CAST(N'1071' AS VARBINARY(MAX)), 4.4375e0),
    (CAST(N'1072' AS VARBINARY(MAX)), 4.5e0),
    (CAST(N'1073' AS VARBINARY(MAX)), 4.5625e0),
    (CAST(N'1074' AS VARBINARY(MAX)), 4.625e0),
    (CAST(N'1075' AS VARBINARY(MAX)), 4.6875e0),
    (CAST(N'1076' AS VARBINARY(MAX)), 4.75e0),
    (CAST(N'1077' AS VARBINARY(MAX)), 4.8125e0),
    (CAST(N'1078' AS VARBINARY(MAX)), 4.875e0),
    (CAST(N'1079' AS VARBINARY(MAX)), 4.9375e0),
    (CAST(N'1080' AS VARBINARY(MAX)), 5e0),
    (CAST(N'1081' AS VARBINARY(MAX)), 5.0625e0),
    (CAST(N'1082' AS VARBINARY(MAX)), 5.125e0),
    (CAST(N'1083' AS VARBINARY(MAX)), 5.1875e0),
    (CAST(N'1084' AS VARBINARY(MAX)), 5.25e0),
    (CAST(N'1085' AS VARBINARY(MAX)), 5.3125e0),
    (CAST(N'1086' AS VARBINARY(MAX)), 5.375e0),
    (CAST(N'1087' AS VARBINARY(MAX)), 5.4375e0),
    (CAST(N'1088' AS VARBINARY(MAX)), 5.5e0),
    (CAST(N'1089' AS VARBINARY(MAX)), 5.5625e0),
    (CAST(N'1090' AS VARBINARY(MAX)), 5.625e0),
    (CAST(N'1091' AS VARBINARY(MAX)), 5.6875e0),
    (CAST(N'1092' AS VARBINARY(MAX)), 5.75e0),
    (CAST(N'1093' AS VARBINARY(MAX)), 5.8125e0),
    (CAST(N'1094' AS VARBINARY(MAX)), 5.875e0),
    (CAST(N'1095' AS VARBINARY(MAX)), 5.9375e0),
    (CAST(N'1096' AS VARBINARY(MAX)), 6e0),
    (CAST(N'1097' AS VARBINARY(MAX)), 6.0625e0),
    (CAST(N'1098' AS VARBINARY(MAX)), 6.125e0),
    (CAST(N'1099' AS VARBINARY(MAX)), 6.1875e0),
    (CAST(N'1100' AS VARBINARY(MAX)), 6.25e0),
    (CAST(N'1101' AS VARBINARY(MAX)), 6.3125e0),
    (CAST(N'1102' AS VARBINARY(MAX)), 6.375e0),
    (CAST(N'1103' AS VARBINARY(MAX)), 6.4375e0),
    (CAST(N'1104' AS VARBINARY(MAX)), 6.5e0),
    (CAST(N'1105' AS VARBINARY(MAX)), 6.5625e0),
    (CAST(N'1106' AS VARBINARY(MAX)), 6.625e0),
    (CAST(N'1107' AS VARBINARY(MAX)), 6.6875e0),
    (CAST(N'1108' AS VARBINARY(MAX)), 6.75e0),
    (CAST(N'1109' AS VARBINARY(MAX)), 6.8125e0),
    (CAST(N'1110' AS VARBINARY(MAX)), 6.875e0),
    (CAST(N'1111' AS VARBINARY(MAX)), 6.9375e0),
    (CAST(N'1112' AS VARBINARY(MAX)), 7e0),
    (CAST(N'1113' AS VARBINARY(MAX)), 7.0625e0),
    (CAST(N'1114' AS VARBINARY(MAX)), 7.125e0),
    (CAST(N'1115' AS VARBINARY(MAX)), 7.1875e0),
    (CAST(N'1116' AS VARBINARY(MAX)), 7.25e0),
    (CAST(N'1117' AS VARBINARY(MAX)), 7.3125e0),
    (CAST(N'1118' AS VARBINARY(MAX)), 7.375e0),
    (CAST(N'1119' AS VARBINARY(MAX)), 7.4375e0),
    (CAST(N'1120' AS VARBINARY(MAX)), 7.5e0),
    (CAST(N'1121' AS VARBINARY(MAX)), 7.5625e0),
    (CAST(N'1122' AS VARBINARY(MAX)), 7.625e0),
    (CAST(N'1123' AS VARBINARY(MAX)), 7.6875e0),
    (CAST(N'1124' AS VARBINARY(MAX)), 7.75e0),
    (CAST(N'1125' AS VARBINARY(MAX)), 7.8125e0),
    (CAST(N'1126' AS VARBINARY(MAX)), 7.875e0),
    (CAST(N'1127' AS VARBINARY(MAX)), 7.9375e0),
    (CAST(N'1128' AS VARBINARY(MAX)), 8e0),
    (CAST(N'1129' AS VARBINARY(MAX)), 8.0625e0),
    (CAST(N'1130' AS VARBINARY(MAX)), 8.125e0),
    (CAST(N'1131' AS VARBINARY(MAX)), 8.1875e0),
    (CAST(N'1132' AS VARBINARY(MAX)), 8.25e0),
    (CAST(N'1133' AS VARBINARY(MAX)), 8.3125e0),
    (CAST(N'1134' AS VARBINARY(MAX)), 8.375e0),
    (CAST(N'1135' AS VARBINARY(MAX)), 8.4375e0),
    (CAST(N'1136' AS VARBINARY(MAX)), 8.5e0),
    (CAST(N'1137' AS VARBINARY(MAX)), 8.5625e0),
    (CAST(N'1138' AS VARBINARY(MAX)), 8.625e0),
    (CAST(N'1139' AS VARBINARY(MAX)), 8.6875e0),
    (CAST(N'1140' AS VARBINARY(MAX)), 8.75e0),
    (CAST(N'1141' AS VARBINARY(MAX)), 8.8125e0),
    (CAST(N'1142' AS VARBINARY(MAX)), 8.875e0),
    (CAST(N'1143' AS VARBINARY(MAX)), 8.9375e0),
    (CAST(N'1144' AS VARBINARY(MAX)), 9e0),
    (CAST(N'1145' AS VARBINARY(MAX)), 9.0625e0),
    (CAST(N'1146' AS VARBINARY(MAX)), 9.125e0),
    (CAST(N'1147' AS VARBINARY(MAX)), 9.1875e0),
    (CAST(N'1148' AS VARBINARY(MAX)), 9.25e0),
    (CAST(N'1149' AS VARBINARY(MAX)), 9.3125e0),
    (CAST(N'1150' AS VARBINARY(MAX)), 9.375e0),
    (CAST(N'1151' AS VARBINARY(MAX)), 9.4375e0),
    (CAST(N'1152' AS VARBINARY(MAX)), 9.5e0),
    (CAST(N'1153' AS VARBINARY(MAX)), 9.5625e0),
    (CAST(N'1154' AS VARBINARY(MAX)), 9.625e0),
    (CAST(N'1155' AS VARBINARY(MAX)), 9.6875e0),
    (CAST(N'1156' AS VARBINARY(MAX)), 9.75e0),
    (CAST(N'1157' AS VARBINARY(MAX)), 9.8125e0),
    (CAST(N'1158' AS VARBINARY(MAX)), 9.875e0),
    (CAST(N'1159' AS VARBINARY(MAX)), 9.9375e0),
    (CAST(N'1160' AS VARBINARY(MAX)), 10e0),
    (CAST(N'1161' AS VARBINARY(MAX)), 10.0625e0),
    (CAST(N'1162' AS VARBINARY(MAX)), 10.125e0),
    (CAST(N'1163' AS VARBINARY(MAX)), 10.1875e0),
    (CAST(N'1164' AS VARBINARY(MAX)), 10.25e0),
    (CAST(N'1165' AS VARBINARY(MAX)), 10.3125e0),
    (CAST(N'1166' AS VARBINARY(MAX)), 10.375e0),
    (CAST(N'1167' AS VARBINARY(MAX)), 10.4375e0),
    (CAST(N'1168' AS VARBINARY(MAX)), 10.5e0),
    (CAST(N'1169' AS VARBINARY(MAX)), 10.5625e0),
    (CAST(N'1170' AS VARBINARY(MAX)), 10.625e0),
    (CAST(N'1171' AS VARBINARY(MAX)), 10.6875e0),
    (CAST(N'1172' AS VARBINARY(MAX)), 10.75e0),
    (CAST(N'1173' AS VARBINARY(MAX)), 10.8125e0),
    (CAST(N'1174' AS VARBINARY(MAX)), 10.875e0),
    (CAST(N'1175' AS VARBINARY(MAX)), 10.9375e0),
    (CAST(N'1176' AS VARBINARY(MAX)), 11e0),
    (CAST(N'1177' AS VARBINARY(MAX)), 11.0625e0),
    (CAST(N'1178' AS VARBINARY(MAX)), 11.125e0),
    (CAST(N'1179' AS VARBINARY(MAX)), 11.1875e0),
    (CAST(N'1180' AS VARBINARY(MAX)), 11.25e0),
    (CAST(N'1181' AS VARBINARY(MAX)), 11.3125e0),
    (CAST(N'1182' AS VARBINARY(MAX)), 11.375e0),
    (CAST(N'1183' AS VARBINARY(MAX)), 11.4375e0),
    (CAST(N'1184' AS VARBINARY(MAX)), 11.5e0),
    (CAST(N'1185' AS VARBINARY(MAX)), 11.5625e0),
    (CAST(N'1186' AS VARBINARY(MAX)), 11.625e0),
    (CAST(N'1187' AS VARBINARY(MAX)), 11.6875e0),
    (CAST(N'1188' AS VARBINARY(MAX)), 11.75e0),
    (CAST(N'1189' AS VARBINARY(MAX)), 11.8125e0),
    (CAST(N'1190' AS VARBINARY(MAX)), 11.875e0),
    (CAST(N'1191' AS VARBINARY(MAX)), 11.9375e0),
    (CAST(N'1192' AS VARBINARY(MAX)), 12e0),
    (CAST(N'1193' AS VARBINARY(MAX)), 12.0625e0),
    (CAST(N'1194' AS VARBINARY(MAX)), 12.125e0),
    (CAST(N'1195' AS VARBINARY(MAX)), 12.1875e0),
    (CAST(N'1196' AS VARBINARY(MAX)), 12.25e0),
    (CAST(N'1197' AS VARBINARY(MAX)), 12.3125e0),
    (CAST(N'1198' AS VARBINARY(MAX)), 12.375e0),
    (CAST(N'1199' AS VARBINARY(MAX)), 12.4375e0)
  ) AS v ([level], [value])
),
curvec_levels AS (
  SELECT
    [age],
    [priors count],
    [charge],
    [kind],
    [felony],
    [balance],
    [score 2],
    [post code],
    [id],
    -- post code: 1000: 0, 1001: 0.0625, 1002: 0.125, ... 1199: 12.4375: 200 levels; unseen 0; missing -1
    CASE
      WHEN [post code] IS NULL THEN -1e0
      WHEN l1.[level] IS NOT NULL THEN l1.[value]
      ELSE 0e0
    END AS [level_value]
  FROM curvec_input t
  LEFT JOIN curvec_level_1 l1 ON l1.[level] = [post code]
),
curvec_inputs_0 AS (
  SELECT
    [age],
    [priors count],
    [charge],
    [kind],
    [felony],
    [balance],
    [score 2],
    [post code],
    [id],
    [level_value],
    (
      -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
      CASE
        WHEN [priors count] < 1e0 THEN -0.4e0
        WHEN [priors count] < 2.5e0 THEN 0.1e0
        WHEN [priors count] < 10e0 THEN 0.75e0
        WHEN -[priors count] <= -10e0 THEN 1.9e0
        ELSE NULL
      END
      -- balance: the value itself
      + [balance]
    ) AS [input]
  FROM curvec_levels
),
curvec_terms AS (
  SELECT
    [id],
    -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
    CASE
      WHEN [age] <= 18e0 THEN 3.13e0
      WHEN [age] < 21e0 THEN 3.13e0 - 16.468302331489937e0 * (LOG(CASE WHEN [age] > 18e0 THEN [age] ELSE 18e0 END) - 2.8903717578961645e0)
      WHEN [age] < 46e0 THEN 0.5914e0 - 1.6732155055468838e0 * (LOG(CASE WHEN [age] > 18e0 THEN [age] ELSE 18e0 END) - 3.044522437723423e0)
      WHEN -[age] <= -46e0 THEN -0.7206e0
      ELSE 1.5e0
    END AS [term_age],
    -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
    CASE
      WHEN [priors count] < 1e0 THEN -0.4e0
      WHEN [priors count] < 2.5e0 THEN 0.1e0
      WHEN [priors count] < 10e0 THEN 0.75e0
      WHEN -[priors count] <= -10e0 THEN 1.9e0
      ELSE NULL
    END AS [term_priors_count],
    -- charge: F: 0.0198, M': -0.0384, \xdcn\xef\n: 0.5; unseen 0.25
    CASE
      WHEN [charge] IS NULL THEN NULL
      WHEN [charge] = CAST(N'F' AS VARBINARY(MAX)) THEN 0.0198e0
      WHEN [charge] = CAST(N'M''' AS VARBINARY(MAX)) THEN -0.0384e0
      WHEN [charge] = CAST((N'Ünï' + NCHAR(10)) AS VARBINARY(MAX)) THEN 0.5e0
      ELSE 0.25e0
    END AS [term_charge],
    -- kind: 1: 0.5, 2: -0.5; unseen 0.1; missing 0.2
    CASE
      WHEN [kind] = 1 THEN 0.5e0
      WHEN [kind] = 2 THEN -0.5e0
      WHEN [kind] IS NOT NULL THEN 0.1e0
      ELSE 0.2e0
    END AS [term_kind],
    -- felony: True: 0.3, False: -0.3
    CASE
      WHEN [felony] = 1 THEN 0.3e0
      WHEN [felony] = 0 THEN -0.3e0
      ELSE NULL
    END AS [term_felony],
    -- balance: symlog1p, (-1000, 1), (0, 0), (1000, -2)
    CASE
      WHEN [balance] <= -1000e0 THEN 1e0
      WHEN [balance] < 0e0 THEN 1e0 - 0.1447438839476537e0 * (-(CASE
        WHEN 1e0 + (-[balance]) = 1e0 THEN (-[balance])
        ELSE LOG(1e0 + CASE WHEN (-[balance]) > 0e0 THEN (-[balance]) ELSE 0e0 END) * ((-[balance]) / NULLIF((1e0 + (-[balance])) - 1e0, 0e0))
      END) + 6.90875477931522e0)
      WHEN [balance] < 1000e0 THEN 0e0 - 0.2894877678953074e0 * (CASE
        WHEN 1e0 + [balance] = 1e0 THEN [balance]
        ELSE LOG(1e0 + CASE WHEN [balance] > 0e0 THEN [balance] ELSE 0e0 END) * ([balance] / NULLIF((1e0 + [balance]) - 1e0, 0e0))
      END)
      WHEN -[balance] <= -1000e0 THEN -2e0
      ELSE NULL
    END AS [term_balance],
    -- balance: log1p, (-0.5, 0), (1e-07, 0.1), (7, -2)
    CASE
      WHEN [balance] <= -0.5e0 THEN 0e0
      WHEN [balance] < 1e-07 THEN 0e0 + 0.14426948327521058e0 * (CASE
        WHEN 1e0 + [balance] = 1e0 THEN [balance]
        ELSE LOG(1e0 + CASE WHEN [balance] > -0.5e0 THEN [balance] ELSE -0.5e0 END) * ([balance] / NULLIF((1e0 + [balance]) - 1e0, 0e0))
      END + 0.6931471805599453e0)
      WHEN [balance] < 7e0 THEN 0.1e0 - 1.0098865771875507e0 * (LOG(1e0 + CASE WHEN [balance] > -0.5e0 THEN [balance] ELSE -0.5e0 END) * ([balance] / NULLIF((1e0 + [balance]) - 1e0, 0e0)) - 9.999999500000033e-08)
      WHEN -[balance] <= -7e0 THEN -2e0
      ELSE NULL
    END AS [term_balance_2],
    -- product of 2
    (
      -- sum of 2
      (
        -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
        CASE
          WHEN [age] <= 18e0 THEN 3.13e0
          WHEN [age] < 21e0 THEN 3.13e0 - 16.468302331489937e0 * (LOG(CASE WHEN [age] > 18e0 THEN [age] ELSE 18e0 END) - 2.8903717578961645e0)
          WHEN [age] < 46e0 THEN 0.5914e0 - 1.6732155055468838e0 * (LOG(CASE WHEN [age] > 18e0 THEN [age] ELSE 18e0 END) - 3.044522437723423e0)
          WHEN -[age] <= -46e0 THEN -0.7206e0
          ELSE 1.5e0
        END
        -- charge: F: 0.0198, M': -0.0384, \xdcn\xef\n: 0.5; unseen 0.25
        + CASE
          WHEN [charge] IS NULL THEN NULL
          WHEN [charge] = CAST(N'F' AS VARBINARY(MAX)) THEN 0.0198e0
          WHEN [charge] = CAST(N'M''' AS VARBINARY(MAX)) THEN -0.0384e0
          WHEN [charge] = CAST((N'Ünï' + NCHAR(10)) AS VARBINARY(MAX)) THEN 0.5e0
          ELSE 0.25e0
        END
      )
      -- balance: the value itself
      * [balance]
    ) AS [term_age_charge_balance],
    -- a sum of 2: (0, 0.1), (1, 0.3)
    CASE
      WHEN [input] <= 0e0 THEN 0.1e0
      WHEN [input] < 1e0 THEN 0.1e0 + 0.19999999999999998e0 * [input]
      WHEN -[input] <= -1e0 THEN 0.3e0
      ELSE NULL
    END AS [term_priors_count_balance],
    -- score 2: 0, then from (0, 0.1), (0.125, 0.2), (0.25, 0.3), ... (8.625, 0): 70 cuts
    CASE
      WHEN [score 2] < 0e0 THEN 0e0
      WHEN [score 2] < 0.125e0 THEN 0.1e0
      WHEN [score 2] < 0.25e0 THEN 0.2e0
      WHEN [score 2] < 0.375e0 THEN 0.3e0
      WHEN [score 2] < 0.5e0 THEN 0.4e0
      WHEN [score 2] < 0.625e0 THEN 0.5e0
      WHEN [score 2] < 0.75e0 THEN 0.6e0
      WHEN [score 2] < 0.875e0 THEN 0e0
      WHEN [score 2] < 1e0 THEN 0.1e0
      WHEN [score 2] < 1.125e0 THEN 0.2e0
      WHEN [score 2] < 1.25e0 THEN 0.3e0
      WHEN [score 2] < 1.375e0 THEN 0.4e0
      WHEN [score 2] < 1.5e0 THEN 0.5e0
      WHEN [score 2] < 1.625e0 THEN 0.6e0
      WHEN [score 2] < 1.75e0 THEN 0e0
      WHEN [score 2] < 1.875e0 THEN 0.1e0
      WHEN [score 2] < 2e0 THEN 0.2e0
      WHEN [score 2] < 2.125e0 THEN 0.3e0
      WHEN [score 2] < 2.25e0 THEN 0.4e0
      WHEN [score 2] < 2.375e0 THEN 0.5e0
      WHEN [score 2] < 2.5e0 THEN 0.6e0
      WHEN [score 2] < 2.625e0 THEN 0e0
      WHEN [score 2] < 2.75e0 THEN 0.1e0
      WHEN [score 2] < 2.875e0 THEN 0.2e0
      WHEN [score 2] < 3e0 THEN 0.3e0
      WHEN [score 2] < 3.125e0 THEN 0.4e0
      WHEN [score 2] < 3.25e0 THEN 0.5e0
      WHEN [score 2] < 3.375e0 THEN 0.6e0
      WHEN [score 2] < 3.5e0 THEN 0e0
      WHEN [score 2] < 3.625e0 THEN 0.1e0
      WHEN [score 2] < 3.75e0 THEN 0.2e0
      WHEN [score 2] < 3.875e0 THEN 0.3e0
      WHEN [score 2] < 4e0 THEN 0.4e0
      WHEN [score 2] < 4.125e0 THEN 0.5e0
      WHEN [score 2] < 4.25e0 THEN 0.6e0
      WHEN [score 2] < 4.375e0 THEN 0e0
      WHEN [score 2] < 4.5e0 THEN 0.1e0
      WHEN [score 2] < 4.625e0 THEN 0.2e0
      WHEN [score 2] < 4.75e0 THEN 0.3e0
      WHEN [score 2] < 4.875e0 THEN 0.4e0
      WHEN [score 2] < 5e0 THEN 0.5e0
      WHEN [score 2] < 5.125e0 THEN 0.6e0
      WHEN [score 2] < 5.25e0 THEN 0e0
      WHEN [score 2] < 5.375e0 THEN 0.1e0
      WHEN [score 2] < 5.5e0 THEN 0.2e0
      WHEN [score 2] < 5.625e0 THEN 0.3e0
      WHEN [score 2] < 5.75e0 THEN 0.4e0
      WHEN [score 2] < 5.875e0 THEN 0.5e0
      WHEN [score 2] < 6e0 THEN 0.6e0
      WHEN [score 2] < 6.125e0 THEN 0e0
      WHEN [score 2] < 6.25e0 THEN 0.1e0
      WHEN [score 2] < 6.375e0 THEN 0.2e0
      WHEN [score 2] < 6.5e0 THEN 0.3e0
      WHEN [score 2] < 6.625e0 THEN 0.4e0
      WHEN [score 2] < 6.75e0 THEN 0.5e0
      WHEN [score 2] < 6.875e0 THEN 0.6e0
      WHEN [score 2] < 7e0 THEN 0e0
      WHEN [score 2] < 7.125e0 THEN 0.1e0
      WHEN [score 2] < 7.25e0 THEN 0.2e0
      WHEN [score 2] < 7.375e0 THEN 0.3e0
      WHEN [score 2] < 7.5e0 THEN 0.4e0
      WHEN [score 2] < 7.625e0 THEN 0.5e0
      WHEN [score 2] < 7.75e0 THEN 0.6e0
      WHEN [score 2] < 7.875e0 THEN 0e0
      WHEN [score 2] < 8e0 THEN 0.1e0
      WHEN [score 2] < 8.125e0 THEN 0.2e0
      WHEN [score 2] < 8.25e0 THEN 0.3e0
      WHEN [score 2] < 8.375e0 THEN 0.4e0
      WHEN [score 2] < 8.5e0 THEN 0.5e0
      WHEN [score 2] < 8.625e0 THEN 0.6e0
      WHEN -[score 2] <= -8.625e0 THEN 0e0
      ELSE NULL
    END AS [term_score_2],
    -- post code: 1000: 0, 1001: 0.0625, 1002: 0.125, ... 1199: 12.4375: 200 levels; unseen 0; missing -1
    [level_value] AS [term_post_code]
  FROM curvec_inputs_0
),
curvec_scores AS (
  SELECT
    [id],
    [term_age],
    [term_priors_count],
    [term_charge],
    [term_kind],
    [term_felony],
    [term_balance],
    [term_balance_2],
    [term_age_charge_balance],
    [term_priors_count_balance],
    [term_score_2],
    [term_post_code],
    (
      -- intercept
      -1.25e0
      + [term_age]
      + [term_priors_count]
      + [term_charge]
      + [term_kind]
      + [term_felony]
      + [term_balance]
      + [term_balance_2]
      + [term_age_charge_balance]
      + [term_priors_count_balance]
      + [term_score_2]
      + [term_post_code]
    ) AS [score]
  FROM curvec_terms
),
curvec_powers AS (
  SELECT
    [id],
    [term_age],
    [term_priors_count],
    [term_charge],
    [term_kind],
    [term_felony],
    [term_balance],
    [term_balance_2],
    [term_age_charge_balance],
    [term_priors_count_balance],
    [term_score_2],
    [term_post_code],
    [score],
    EXP(CASE
      WHEN [score] < -700e0 THEN -700e0
      WHEN [score] < 0e0 THEN [score]
      WHEN [score] <= 700e0 THEN -[score]
      WHEN -[score] < -700e0 THEN -700e0
      ELSE NULL
    END) AS [power]
  FROM curvec_scores
)
SELECT
  [id],
  [term_age],
  [term_priors_count],
  [term_charge],
  [term_kind],
  [term_felony],
  [term_balance],
  [term_balance_2],
  [term_age_charge_balance],
  [term_priors_count_balance],
  [term_score_2],
  [term_post_code],
  [score],
  CASE
    WHEN [score] < 0e0 THEN [power] / (1e0 + [power])
    ELSE 1e0 / (1e0 + [power])
  END AS [prediction]
FROM curvec_powers
