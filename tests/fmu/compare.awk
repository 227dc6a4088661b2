# awk -F, -v most=1e-9 -f compare.awk SIMULATED UNIT: q, qd, qdd, tau, place of the tool and energies of a unit against
# those of `simulate --names`, relative to the largest of the column or 1. Prints the worst; exit 1 if it is beyond `most`,
# or rows are missing. Roll and yaw are left out: they jump where the pitch is 90 deg.
FNR == 1 {
  for (i = 1; i <= NF; ++i) {
    name = $i
    sub(/^(tool|energy)\./, "", name)
    if (NR == FNR) at[name] = i
    else if (name in at && name !~ /^(t|roll|yaw)$/) { mine[i] = at[name]; label[i] = name; ++columns }
  }
  next
}
NR == FNR { for (i = 1; i <= NF; ++i) { value[FNR, i] = $i; size = $i < 0 ? -$i : $i; if (size > largest[i]) largest[i] = size } rows = FNR; next }
{
  for (i in mine) {
    gap = $i - value[FNR, mine[i]]; if (gap < 0) gap = -gap
    scale = largest[mine[i]] > 1 ? largest[mine[i]] : 1
    if (!(gap / scale <= worst)) { worst = gap / scale; where = FNR " of " label[i] }
  }
  got = FNR
}
END {
  printf "%d columns, %d rows, worst %.2g in row %s\n", columns, got - 1, worst, where
  exit !(columns >= 8 && got > 10 && got <= rows && worst <= most)
}
