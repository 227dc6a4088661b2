# Cases of run.sh: bench
columns='robot,n,question,method,precision,isa,calls,mean_ns,p50_ns,p99_ns,p9999_ns,max_ns,page_faults,allocations'
columns=$columns,preemptions,clock_ns,clock_resolution_ns,memory_locked,idle_p99_ns,idle_p9999_ns,idle_max_ns

header "bench --latency as csv" "$columns" bench --latency "$robots/panda.yaml" --calls 2000
[ "$(wc -l <out)" -eq 3 ] && grep -q ',7,inverse,newton-euler-grouped,double,' out && grep -q ',7,forward,articulated-body,double,' out
verdict "latency of inverse and of forward dynamics"
awk -F, 'NR > 1 && !($7 == 2000 && 0 < $9 && $9 <= $10 && $10 <= $11 && $11 <= $12 && $8 <= $12) { bad = 1 } END { exit bad }' out
verdict "latency: p50 <= p99 <= p99.99 <= max, mean <= max, all calls counted"
awk -F, 'NR > 1 && !($9 <= $19 && $19 <= $20 && $20 <= $21) { bad = 1 } END { exit bad }' out
verdict "latency: the idle loop takes at least p50, and its percentiles increase"
awk -F, 'NR > 1 && $14 != 0 && $14 != "" { bad = 1 } END { exit bad }' out
verdict "latency: nothing is allocated"
says "bench --latency in words" '^forward +articulated-body' bench --latency --dof 3 --quick --format table
says "bench --latency compared with an idle loop" '^ +difference( +-?[0-9]+){3}$' bench --latency --dof 3 --calls 2000 --format table
json "bench --latency as json" '"p9999_ns": *[0-9]' bench --latency --dof 3 --calls 100 --question inverse --precision single
refuses "bench --latency of nothing" 2 '--latency needs ROBOT, or --dof N' bench --latency
refuses "bench --latency of several" 2 '--latency takes one number of joints' bench --latency --dof 2,3
refuses "bench --latency of the matrix" 2 '--latency is about inverse and forward' bench --latency --dof 2 --question inertia
refuses "bench --latency by a method" 2 '--latency takes no --method' bench --latency --dof 2 --method kane
refuses "bench --calls" 2 "--calls: '1.5' is wrong, expected an integer from 1 to 1e.12" bench --latency --dof 2 --calls 1.5
refuses "bench --calls alone" 2 '--calls is for --latency' bench --dof 2 --calls 10

LINKWORK_PEERS=$work/none
export LINKWORK_PEERS
refuses "bench --peers without them" 3 "no peers in $work/none; 'bench/peers/setup FOLDER' installs" bench --peers
mkdir none
echo 'no shared object' >none/mujoco.so
run bench --peers
[ $status -eq 3 ] && grep -q 'mujoco.so' err && grep -q 'no peers in' err && [ ! -s out ]
verdict "bench --peers with a file that is not a peer"
unset LINKWORK_PEERS
LINKWORK_PEERS=$work/none
export LINKWORK_PEERS
header "bench --truth as csv" 'motion,what,linkwork,peer_defaults,peer_careful,unit,program' bench --truth
sed 's/,"[^"]*",/,what,/' out | awk -F, 'NR > 1 {
  bound["stiction"] = bound["end stop"] = 0; bound["double pendulum"] = 1e-6; bound["four-bar"] = 1e-7; bound["voltage step"] = 1e-8
  if (!($1 in bound) || $3 == "" || $3 > bound[$1] || $4 != "" || $5 != "") { print; bad = 1 } }
  END { exit bad || NR != 7 }'
verdict "bench --truth: nothing creeps, is lost, opens or is passed"
says "bench --truth in words" '^four-bar +largest gap of the pin in 60 s +[0-9.]+e-1[0-9] m$' bench --truth --format table
unset LINKWORK_PEERS
refuses "bench --truth of a robot" 2 '--truth takes no ROBOT' bench --truth "$robots/planar2r.yaml"
refuses "bench --truth with others" 2 '--truth takes no --dof' bench --truth --dof 3
refuses "bench --peers by a method" 2 '--peers takes no --method' bench --peers --method kane

header "bench as csv" 'robot,n,question,method,precision,mode,threads,ns,median_ns,ratio,rounds,isa' \
  bench --dof 3 --quick --question inertia --method composite-body --precision double
grep -q ',3,inertia,composite-body,double,single,1,' out && grep -q ',3,inertia,composite-body,double,batch,1,' out
verdict "bench: one state per call, and a batch"
[ "$(nproc)" -eq 1 ] || [ "$(wc -l <out)" -eq 3 ] || grep -Eq ',batch,([2-9]|[1-9][0-9]+),' out
verdict "bench: a batch by all threads"

# --- the plot; a fake gnuplot reads its script
mkdir -p drawn
printf '#!/bin/sh\ncat >drawn/bench\nprintf "</svg>"\n' >drawn/gnuplot
chmod +x drawn/gnuplot
PATH=$work/drawn:$PATH "$linkwork" bench --dof 2 --quick --plot bench.svg >out 2>err
status=$?
sed 's/, \$/\n$/g' drawn/bench | sed -n "s/.* lt \([0-9]*\) pt .* title '\([^']*\)'.*/'\1' '\2'/p" | sort -u >styles
[ $status -eq 0 ] && [ "$(wc -l <styles)" -gt 8 ] && [ "$(cut -d"'" -f2 styles | sort -u | wc -l)" -eq "$(wc -l <styles)" ] &&
  [ "$(cut -d"'" -f4 styles | sort -u | wc -l)" -eq "$(wc -l <styles)" ] && grep -q '^set key below' drawn/bench
verdict "bench --plot: one colour for each method in all panels, legends below"
