-- recidivism: the raw score in DuckDB, 11 terms
(
  -- intercept
  -1.25e0
  -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
  + CASE
    WHEN CAST("age" AS DOUBLE) <= 18e0 THEN 3.13e0
    WHEN CAST("age" AS DOUBLE) < 21e0 THEN 3.13e0 - 16.468302331489937e0 * (LN(CASE WHEN CAST("age" AS DOUBLE) > 18e0 THEN CAST("age" AS DOUBLE) ELSE 18e0 END) - 2.8903717578961645e0)
    WHEN CAST("age" AS DOUBLE) < 46e0 THEN 0.5914e0 - 1.6732155055468838e0 * (LN(CASE WHEN CAST("age" AS DOUBLE) > 18e0 THEN CAST("age" AS DOUBLE) ELSE 18e0 END) - 3.044522437723423e0)
    WHEN -CAST("age" AS DOUBLE) <= -46e0 THEN -0.7206e0
    ELSE 1.5e0
  END
  -- priors count: -0.4, then from (1, 0.1), (2.5, 0.75), (10, 1.9)
  + CASE
    WHEN CAST("priors count" AS DOUBLE) < 1e0 THEN -0.4e0
    WHEN CAST("priors count" AS DOUBLE) < 2.5e0 THEN 0.1e0
    WHEN CAST("priors count" AS DOUBLE) < 10e0 THEN 0.75e0
    WHEN -CAST("priors count" AS DOUBLE) <= -10e0 THEN 1.9e0
    ELSE NULL
  END
  -- charge: F: 0.0198, M': -0.0384, \xdcn\xef\n: 0.5; unseen 0.25
  + CASE
    WHEN "charge" COLLATE C IS NULL THEN NULL
    WHEN "charge" COLLATE C = 'F' THEN 0.0198e0
    WHEN "charge" COLLATE C = 'M''' THEN -0.0384e0
    WHEN "charge" COLLATE C = ('Ünï' || CHR(10)) THEN 0.5e0
    ELSE 0.25e0
  END
  -- kind: 1: 0.5, 2: -0.5; unseen 0.1; missing 0.2
  + CASE
    WHEN "kind" = 1 THEN 0.5e0
    WHEN "kind" = 2 THEN -0.5e0
    WHEN CAST("kind" AS DOUBLE) <= 0e0 OR -CAST("kind" AS DOUBLE) <= 0e0 THEN 0.1e0
    ELSE 0.2e0
  END
  -- felony: True: 0.3, False: -0.3
  + CASE
    WHEN CAST("felony" AS DOUBLE) = 1 THEN 0.3e0
    WHEN CAST("felony" AS DOUBLE) = 0 THEN -0.3e0
    ELSE NULL
  END
  -- balance: symlog1p, (-1000, 1), (0, 0), (1000, -2)
  + CASE
    WHEN CAST("balance" AS DOUBLE) <= -1000e0 THEN 1e0
    WHEN CAST("balance" AS DOUBLE) < 0e0 THEN 1e0 - 0.1447438839476537e0 * (-(CASE
      WHEN 1e0 + (-CAST("balance" AS DOUBLE)) = 1e0 THEN (-CAST("balance" AS DOUBLE))
      ELSE LN(1e0 + CASE WHEN (-CAST("balance" AS DOUBLE)) > 0e0 THEN (-CAST("balance" AS DOUBLE)) ELSE 0e0 END) * ((-CAST("balance" AS DOUBLE)) / ((1e0 + (-CAST("balance" AS DOUBLE))) - 1e0))
    END) + 6.90875477931522e0)
    WHEN CAST("balance" AS DOUBLE) < 1000e0 THEN 0e0 - 0.2894877678953074e0 * (CASE
      WHEN 1e0 + CAST("balance" AS DOUBLE) = 1e0 THEN CAST("balance" AS DOUBLE)
      ELSE LN(1e0 + CASE WHEN CAST("balance" AS DOUBLE) > 0e0 THEN CAST("balance" AS DOUBLE) ELSE 0e0 END) * (CAST("balance" AS DOUBLE) / ((1e0 + CAST("balance" AS DOUBLE)) - 1e0))
    END)
    WHEN -CAST("balance" AS DOUBLE) <= -1000e0 THEN -2e0
    ELSE NULL
  END
  -- balance: log1p, (-0.5, 0), (1e-07, 0.1), (7, -2)
  + CASE
    WHEN CAST("balance" AS DOUBLE) <= -0.5e0 THEN 0e0
    WHEN CAST("balance" AS DOUBLE) < 1e-07 THEN 0e0 + 0.14426948327521058e0 * (CASE
      WHEN 1e0 + CAST("balance" AS DOUBLE) = 1e0 THEN CAST("balance" AS DOUBLE)
      ELSE LN(1e0 + CASE WHEN CAST("balance" AS DOUBLE) > -0.5e0 THEN CAST("balance" AS DOUBLE) ELSE -0.5e0 END) * (CAST("balance" AS DOUBLE) / ((1e0 + CAST("balance" AS DOUBLE)) - 1e0))
    END + 0.6931471805599453e0)
    WHEN CAST("balance" AS DOUBLE) < 7e0 THEN 0.1e0 - 1.0098865771875507e0 * (LN(1e0 + CASE WHEN CAST("balance" AS DOUBLE) > -0.5e0 THEN CAST("balance" AS DOUBLE) ELSE -0.5e0 END) * (CAST("balance" AS DOUBLE) / ((1e0 + CAST("balance" AS DOUBLE)) - 1e0)) - 9.999999500000033e-08)
    WHEN -CAST("balance" AS DOUBLE) <= -7e0 THEN -2e0
    ELSE NULL
  END
  -- product of 2
  + (
    -- sum of 2
    (
      -- age: log, (18, 3.13), (21, 0.5914), (46, -0.7206); missing 1.5; note: approved
      CASE
        WHEN CAST("age" AS DOUBLE) <= 18e0 THEN 3.13e0
        WHEN CAST("age" AS DOUBLE) < 21e0 THEN 3.13e0 - 16.468302331489937e0 * (LN(CASE WHEN CAST("age" AS DOUBLE) > 18e0 THEN CAST("age" AS DOUBLE) ELSE 18e0 END) - 2.8903717578961645e0)
        WHEN CAST("age" AS DOUBLE) < 46e0 THEN 0.5914e0 - 1.6732155055468838e0 * (LN(CASE WHEN CAST("age" AS DOUBLE) > 18e0 THEN CAST("age" AS DOUBLE) ELSE 18e0 END) - 3.044522437723423e0)
        WHEN -CAST("age" AS DOUBLE) <= -46e0 THEN -0.7206e0
        ELSE 1.5e0
      END
      -- charge: F: 0.0198, M': -0.0384, \xdcn\xef\n: 0.5; unseen 0.25
      + CASE
        WHEN "charge" COLLATE C IS NULL THEN NULL
        WHEN "charge" COLLATE C = 'F' THEN 0.0198e0
        WHEN "charge" COLLATE C = 'M''' THEN -0.0384e0
        WHEN "charge" COLLATE C = ('Ünï' || CHR(10)) THEN 0.5e0
        ELSE 0.25e0
      END
    )
    -- balance: the value itself
    * CASE
      WHEN CAST("balance" AS DOUBLE) <= 0e0 OR -CAST("balance" AS DOUBLE) <= 0e0 THEN CAST("balance" AS DOUBLE)
      ELSE NULL
    END
  )
  -- a sum of 2: (0, 0.1), (1, 0.3)
  + CASE
    WHEN (
    CASE
      WHEN CAST("priors count" AS DOUBLE) < 1e0 THEN -0.4e0
      WHEN CAST("priors count" AS DOUBLE) < 2.5e0 THEN 0.1e0
      WHEN CAST("priors count" AS DOUBLE) < 10e0 THEN 0.75e0
      WHEN -CAST("priors count" AS DOUBLE) <= -10e0 THEN 1.9e0
      ELSE NULL
    END
    + CASE
      WHEN CAST("balance" AS DOUBLE) <= 0e0 OR -CAST("balance" AS DOUBLE) <= 0e0 THEN CAST("balance" AS DOUBLE)
      ELSE NULL
    END
  ) <= 0e0 THEN 0.1e0
    WHEN (
    CASE
      WHEN CAST("priors count" AS DOUBLE) < 1e0 THEN -0.4e0
      WHEN CAST("priors count" AS DOUBLE) < 2.5e0 THEN 0.1e0
      WHEN CAST("priors count" AS DOUBLE) < 10e0 THEN 0.75e0
      WHEN -CAST("priors count" AS DOUBLE) <= -10e0 THEN 1.9e0
      ELSE NULL
    END
    + CASE
      WHEN CAST("balance" AS DOUBLE) <= 0e0 OR -CAST("balance" AS DOUBLE) <= 0e0 THEN CAST("balance" AS DOUBLE)
      ELSE NULL
    END
  ) < 1e0 THEN 0.1e0 + 0.19999999999999998e0 * (
      CASE
        WHEN CAST("priors count" AS DOUBLE) < 1e0 THEN -0.4e0
        WHEN CAST("priors count" AS DOUBLE) < 2.5e0 THEN 0.1e0
        WHEN CAST("priors count" AS DOUBLE) < 10e0 THEN 0.75e0
        WHEN -CAST("priors count" AS DOUBLE) <= -10e0 THEN 1.9e0
        ELSE NULL
      END
      + CASE
        WHEN CAST("balance" AS DOUBLE) <= 0e0 OR -CAST("balance" AS DOUBLE) <= 0e0 THEN CAST("balance" AS DOUBLE)
        ELSE NULL
      END
    )
    WHEN -(
    CASE
      WHEN CAST("priors count" AS DOUBLE) < 1e0 THEN -0.4e0
      WHEN CAST("priors count" AS DOUBLE) < 2.5e0 THEN 0.1e0
      WHEN CAST("priors count" AS DOUBLE) < 10e0 THEN 0.75e0
      WHEN -CAST("priors count" AS DOUBLE) <= -10e0 THEN 1.9e0
      ELSE NULL
    END
    + CASE
      WHEN CAST("balance" AS DOUBLE) <= 0e0 OR -CAST("balance" AS DOUBLE) <= 0e0 THEN CAST("balance" AS DOUBLE)
      ELSE NULL
    END
  ) <= -1e0 THEN 0.3e0
    ELSE NULL
  END
  -- score 2: 0, then from (0, 0.1), (0.125, 0.2), (0.25, 0.3), ... (8.625, 0): 70 cuts
  + CASE
    WHEN CAST("score 2" AS DOUBLE) < 4.375e0 THEN CASE
      WHEN CAST("score 2" AS DOUBLE) < 2.125e0 THEN CASE
        WHEN CAST("score 2" AS DOUBLE) < 0e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 0.125e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 0.25e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 0.375e0 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 0.5e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 0.625e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 0.75e0 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 0.875e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 1e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 1.125e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 1.25e0 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 1.375e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 1.5e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 1.625e0 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 1.75e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 1.875e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 2e0 THEN 0.2e0
        ELSE 0.3e0
      END
      ELSE CASE
        WHEN CAST("score 2" AS DOUBLE) < 2.25e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 2.375e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 2.5e0 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 2.625e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 2.75e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 2.875e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 3e0 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 3.125e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 3.25e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 3.375e0 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 3.5e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 3.625e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 3.75e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 3.875e0 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 4e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 4.125e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 4.25e0 THEN 0.6e0
        ELSE 0e0
      END
    END
    ELSE CASE
      WHEN CAST("score 2" AS DOUBLE) < 6.625e0 THEN CASE
        WHEN CAST("score 2" AS DOUBLE) < 4.5e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 4.625e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 4.75e0 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 4.875e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 5e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 5.125e0 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 5.25e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 5.375e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 5.5e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 5.625e0 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 5.75e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 5.875e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 6e0 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 6.125e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 6.25e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 6.375e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 6.5e0 THEN 0.3e0
        ELSE 0.4e0
      END
      ELSE CASE
        WHEN CAST("score 2" AS DOUBLE) < 6.75e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 6.875e0 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 7e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 7.125e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 7.25e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 7.375e0 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 7.5e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 7.625e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 7.75e0 THEN 0.6e0
        WHEN CAST("score 2" AS DOUBLE) < 7.875e0 THEN 0e0
        WHEN CAST("score 2" AS DOUBLE) < 8e0 THEN 0.1e0
        WHEN CAST("score 2" AS DOUBLE) < 8.125e0 THEN 0.2e0
        WHEN CAST("score 2" AS DOUBLE) < 8.25e0 THEN 0.3e0
        WHEN CAST("score 2" AS DOUBLE) < 8.375e0 THEN 0.4e0
        WHEN CAST("score 2" AS DOUBLE) < 8.5e0 THEN 0.5e0
        WHEN CAST("score 2" AS DOUBLE) < 8.625e0 THEN 0.6e0
        WHEN -CAST("score 2" AS DOUBLE) <= -8.625e0 THEN 0e0
        ELSE NULL
      END
    END
  END
  -- post code: 1000: 0, 1001: 0.0625, 1002: 0.125, ... 1199: 12.4375: 200 levels; unseen 0; missing -1
  + CASE
    WHEN "post code" COLLATE C IS NULL THEN -1e0
    WHEN "post code" COLLATE C = '1000' THEN 0e0
    WHEN "post code" COLLATE C = '1001' THEN 0.0625e0
    WHEN "post code" COLLATE C = '1002' THEN 0.125e0
    WHEN "post code" COLLATE C = '1003' THEN 0.1875e0
    WHEN "post code" COLLATE C = '1004' THEN 0.25e0
    WHEN "post code" COLLATE C = '1005' THEN 0.3125e0
    WHEN "post code" COLLATE C = '1006' THEN 0.375e0
    WHEN "post code" COLLATE C = '1007' THEN 0.4375e0
    WHEN "post code" COLLATE C = '1008' THEN 0.5e0
    WHEN "post code" COLLATE C = '1009' THEN 0.5625e0
    WHEN "post code" COLLATE C = '1010' THEN 0.625e0
    WHEN "post code" COLLATE C = '1011' THEN 0.6875e0
    WHEN "post code" COLLATE C = '1012' THEN 0.75e0
    WHEN "post code" COLLATE C = '1013' THEN 0.8125e0
    WHEN "post code" COLLATE C = '1014' THEN 0.875e0
    WHEN "post code" COLLATE C = '1015' THEN 0.9375e0
    WHEN "post code" COLLATE C = '1016' THEN 1e0
    WHEN "post code" COLLATE C = '1017' THEN 1.0625e0
    WHEN "post code" COLLATE C = '1018' THEN 1.125e0
    WHEN "post code" COLLATE C = '1019' THEN 1.1875e0
    WHEN "post code" COLLATE C = '1020' THEN 1.25e0
    WHEN "post code" COLLATE C = '1021' THEN 1.3125e0
    WHEN "post code" COLLATE C = '1022' THEN 1.375e0
    WHEN "post code" COLLATE C = '1023' THEN 1.4375e0
    WHEN "post code" COLLATE C = '1024' THEN 1.5e0
    WHEN "post code" COLLATE C = '1025' THEN 1.5625e0
    WHEN "post code" COLLATE C = '1026' THEN 1.625e0
    WHEN "post code" COLLATE C = '1027' THEN 1.6875e0
    WHEN "post code" COLLATE C = '1028' THEN 1.75e0
    WHEN "post code" COLLATE C = '1029' THEN 1.8125e0
    WHEN "post code" COLLATE C = '1030' THEN 1.875e0
    WHEN "post code" COLLATE C = '1031' THEN 1.9375e0
    WHEN "post code" COLLATE C = '1032' THEN 2e0
    WHEN "post code" COLLATE C = '1033' THEN 2.0625e0
    WHEN "post code" COLLATE C = '1034' THEN 2.125e0
    WHEN "post code" COLLATE C = '1035' THEN 2.1875e0
    WHEN "post code" COLLATE C = '1036' THEN 2.25e0
    WHEN "post code" COLLATE C = '1037' THEN 2.3125e0
    WHEN "post code" COLLATE C = '1038' THEN 2.375e0
    WHEN "post code" COLLATE C = '1039' THEN 2.4375e0
    WHEN "post code" COLLATE C = '1040' THEN 2.5e0
    WHEN "post code" COLLATE C = '1041' THEN 2.5625e0
    WHEN "post code" COLLATE C = '1042' THEN 2.625e0
    WHEN "post code" COLLATE C = '1043' THEN 2.6875e0
    WHEN "post code" COLLATE C = '1044' THEN 2.75e0
    WHEN "post code" COLLATE C = '1045' THEN 2.8125e0
    WHEN "post code" COLLATE C = '1046' THEN 2.875e0
    WHEN "post code" COLLATE C = '1047' THEN 2.9375e0
    WHEN "post code" COLLATE C = '1048' THEN 3e0
    WHEN "post code" COLLATE C = '1049' THEN 3.0625e0
    WHEN "post code" COLLATE C = '1050' THEN 3.125e0
    WHEN "post code" COLLATE C = '1051' THEN 3.1875e0
    WHEN "post code" COLLATE C = '1052' THEN 3.25e0
    WHEN "post code" COLLATE C = '1053' THEN 3.3125e0
    WHEN "post code" COLLATE C = '1054' THEN 3.375e0
    WHEN "post code" COLLATE C = '1055' THEN 3.4375e0
    WHEN "post code" COLLATE C = '1056' THEN 3.5e0
    WHEN "post code" COLLATE C = '1057' THEN 3.5625e0
    WHEN "post code" COLLATE C = '1058' THEN 3.625e0
    WHEN "post code" COLLATE C = '1059' THEN 3.6875e0
    WHEN "post code" COLLATE C = '1060' THEN 3.75e0
    WHEN "post code" COLLATE C = '1061' THEN 3.8125e0
    WHEN "post code" COLLATE C = '1062' THEN 3.875e0
    WHEN "post code" COLLATE C = '1063' THEN 3.9375e0
    WHEN "post code" COLLATE C = '1064' THEN 4e0
    WHEN "post code" COLLATE C = '1065' THEN 4.0625e0
    WHEN "post code" COLLATE C = '1066' THEN 4.125e0
    WHEN "post code" COLLATE C = '1067' THEN 4.1875e0
    WHEN "post code" COLLATE C = '1068' THEN 4.25e0
    WHEN "post code" COLLATE C = '1069' THEN 4.3125e0
    WHEN "post code" COLLATE C = '1070' THEN 4.375e0
    WHEN "post code" COLLATE C = '1071' THEN 4.4375e0
    WHEN "post code" COLLATE C = '1072' THEN 4.5e0
    WHEN "post code" COLLATE C = '1073' THEN 4.5625e0
    WHEN "post code" COLLATE C = '1074' THEN 4.625e0
    WHEN "post code" COLLATE C = '1075' THEN 4.6875e0
    WHEN "post code" COLLATE C = '1076' THEN 4.75e0
    WHEN "post code" COLLATE C = '1077' THEN 4.8125e0
    WHEN "post code" COLLATE C = '1078' THEN 4.875e0
    WHEN "post code" COLLATE C = '1079' THEN 4.9375e0
    WHEN "post code" COLLATE C = '1080' THEN 5e0
    WHEN "post code" COLLATE C = '1081' THEN 5.0625e0
    WHEN "post code" COLLATE C = '1082' THEN 5.125e0
    WHEN "post code" COLLATE C = '1083' THEN 5.1875e0
    WHEN "post code" COLLATE C = '1084' THEN 5.25e0
    WHEN "post code" COLLATE C = '1085' THEN 5.3125e0
    WHEN "post code" COLLATE C = '1086' THEN 5.375e0
    WHEN "post code" COLLATE C = '1087' THEN 5.4375e0
    WHEN "post code" COLLATE C = '1088' THEN 5.5e0
    WHEN "post code" COLLATE C = '1089' THEN 5.5625e0
    WHEN "post code" COLLATE C = '1090' THEN 5.625e0
    WHEN "post code" COLLATE C = '1091' THEN 5.6875e0
    WHEN "post code" COLLATE C = '1092' THEN 5.75e0
    WHEN "post code" COLLATE C = '1093' THEN 5.8125e0
    WHEN "post code" COLLATE C = '1094' THEN 5.875e0
    WHEN "post code" COLLATE C = '1095' THEN 5.9375e0
    WHEN "post code" COLLATE C = '1096' THEN 6e0
    WHEN "post code" COLLATE C = '1097' THEN 6.0625e0
    WHEN "post code" COLLATE C = '1098' THEN 6.125e0
    WHEN "post code" COLLATE C = '1099' THEN 6.1875e0
    WHEN "post code" COLLATE C = '1100' THEN 6.25e0
    WHEN "post code" COLLATE C = '1101' THEN 6.3125e0
    WHEN "post code" COLLATE C = '1102' THEN 6.375e0
    WHEN "post code" COLLATE C = '1103' THEN 6.4375e0
    WHEN "post code" COLLATE C = '1104' THEN 6.5e0
    WHEN "post code" COLLATE C = '1105' THEN 6.5625e0
    WHEN "post code" COLLATE C = '1106' THEN 6.625e0
    WHEN "post code" COLLATE C = '1107' THEN 6.6875e0
    WHEN "post code" COLLATE C = '1108' THEN 6.75e0
    WHEN "post code" COLLATE C = '1109' THEN 6.8125e0
    WHEN "post code" COLLATE C = '1110' THEN 6.875e0
    WHEN "post code" COLLATE C = '1111' THEN 6.9375e0
    WHEN "post code" COLLATE C = '1112' THEN 7e0
    WHEN "post code" COLLATE C = '1113' THEN 7.0625e0
    WHEN "post code" COLLATE C = '1114' THEN 7.125e0
    WHEN "post code" COLLATE C = '1115' THEN 7.1875e0
    WHEN "post code" COLLATE C = '1116' THEN 7.25e0
    WHEN "post code" COLLATE C = '1117' THEN 7.3125e0
    WHEN "post code" COLLATE C = '1118' THEN 7.375e0
    WHEN "post code" COLLATE C = '1119' THEN 7.4375e0
    WHEN "post code" COLLATE C = '1120' THEN 7.5e0
    WHEN "post code" COLLATE C = '1121' THEN 7.5625e0
    WHEN "post code" COLLATE C = '1122' THEN 7.625e0
    WHEN "post code" COLLATE C = '1123' THEN 7.6875e0
    WHEN "post code" COLLATE C = '1124' THEN 7.75e0
    WHEN "post code" COLLATE C = '1125' THEN 7.8125e0
    WHEN "post code" COLLATE C = '1126' THEN 7.875e0
    WHEN "post code" COLLATE C = '1127' THEN 7.9375e0
    WHEN "post code" COLLATE C = '1128' THEN 8e0
    WHEN "post code" COLLATE C = '1129' THEN 8.0625e0
    WHEN "post code" COLLATE C = '1130' THEN 8.125e0
    WHEN "post code" COLLATE C = '1131' THEN 8.1875e0
    WHEN "post code" COLLATE C = '1132' THEN 8.25e0
    WHEN "post code" COLLATE C = '1133' THEN 8.3125e0
    WHEN "post code" COLLATE C = '1134' THEN 8.375e0
    WHEN "post code" COLLATE C = '1135' THEN 8.4375e0
    WHEN "post code" COLLATE C = '1136' THEN 8.5e0
    WHEN "post code" COLLATE C = '1137' THEN 8.5625e0
    WHEN "post code" COLLATE C = '1138' THEN 8.625e0
    WHEN "post code" COLLATE C = '1139' THEN 8.6875e0
    WHEN "post code" COLLATE C = '1140' THEN 8.75e0
    WHEN "post code" COLLATE C = '1141' THEN 8.8125e0
    WHEN "post code" COLLATE C = '1142' THEN 8.875e0
    WHEN "post code" COLLATE C = '1143' THEN 8.9375e0
    WHEN "post code" COLLATE C = '1144' THEN 9e0
    WHEN "post code" COLLATE C = '1145' THEN 9.0625e0
    WHEN "post code" COLLATE C = '1146' THEN 9.125e0
    WHEN "post code" COLLATE C = '1147' THEN 9.1875e0
    WHEN "post code" COLLATE C = '1148' THEN 9.25e0
    WHEN "post code" COLLATE C = '1149' THEN 9.3125e0
    WHEN "post code" COLLATE C = '1150' THEN 9.375e0
    WHEN "post code" COLLATE C = '1151' THEN 9.4375e0
    WHEN "post code" COLLATE C = '1152' THEN 9.5e0
    WHEN "post code" COLLATE C = '1153' THEN 9.5625e0
    WHEN "post code" COLLATE C = '1154' THEN 9.625e0
    WHEN "post code" COLLATE C = '1155' THEN 9.6875e0
    WHEN "post code" COLLATE C = '1156' THEN 9.75e0
    WHEN "post code" COLLATE C = '1157' THEN 9.8125e0
    WHEN "post code" COLLATE C = '1158' THEN 9.875e0
    WHEN "post code" COLLATE C = '1159' THEN 9.9375e0
    WHEN "post code" COLLATE C = '1160' THEN 10e0
    WHEN "post code" COLLATE C = '1161' THEN 10.0625e0
    WHEN "post code" COLLATE C = '1162' THEN 10.125e0
    WHEN "post code" COLLATE C = '1163' THEN 10.1875e0
    WHEN "post code" COLLATE C = '1164' THEN 10.25e0
    WHEN "post code" COLLATE C = '1165' THEN 10.3125e0
    WHEN "post code" COLLATE C = '1166' THEN 10.375e0
    WHEN "post code" COLLATE C = '1167' THEN 10.4375e0
    WHEN "post code" COLLATE C = '1168' THEN 10.5e0
    WHEN "post code" COLLATE C = '1169' THEN 10.5625e0
    WHEN "post code" COLLATE C = '1170' THEN 10.625e0
    WHEN "post code" COLLATE C = '1171' THEN 10.6875e0
    WHEN "post code" COLLATE C = '1172' THEN 10.75e0
    WHEN "post code" COLLATE C = '1173' THEN 10.8125e0
    WHEN "post code" COLLATE C = '1174' THEN 10.875e0
    WHEN "post code" COLLATE C = '1175' THEN 10.9375e0
    WHEN "post code" COLLATE C = '1176' THEN 11e0
    WHEN "post code" COLLATE C = '1177' THEN 11.0625e0
    WHEN "post code" COLLATE C = '1178' THEN 11.125e0
    WHEN "post code" COLLATE C = '1179' THEN 11.1875e0
    WHEN "post code" COLLATE C = '1180' THEN 11.25e0
    WHEN "post code" COLLATE C = '1181' THEN 11.3125e0
    WHEN "post code" COLLATE C = '1182' THEN 11.375e0
    WHEN "post code" COLLATE C = '1183' THEN 11.4375e0
    WHEN "post code" COLLATE C = '1184' THEN 11.5e0
    WHEN "post code" COLLATE C = '1185' THEN 11.5625e0
    WHEN "post code" COLLATE C = '1186' THEN 11.625e0
    WHEN "post code" COLLATE C = '1187' THEN 11.6875e0
    WHEN "post code" COLLATE C = '1188' THEN 11.75e0
    WHEN "post code" COLLATE C = '1189' THEN 11.8125e0
    WHEN "post code" COLLATE C = '1190' THEN 11.875e0
    WHEN "post code" COLLATE C = '1191' THEN 11.9375e0
    WHEN "post code" COLLATE C = '1192' THEN 12e0
    WHEN "post code" COLLATE C = '1193' THEN 12.0625e0
    WHEN "post code" COLLATE C = '1194' THEN 12.125e0
    WHEN "post code" COLLATE C = '1195' THEN 12.1875e0
    WHEN "post code" COLLATE C = '1196' THEN 12.25e0
    WHEN "post code" COLLATE C = '1197' THEN 12.3125e0
    WHEN "post code" COLLATE C = '1198' THEN 12.375e0
    WHEN "post code" COLLATE C = '1199' THEN 12.4375e0
    ELSE 0e0
  END
)
