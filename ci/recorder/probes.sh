# SPDX-License-Identifier: Apache-2.0
# Sourced like header.sh (POSIX sh). Trace probes that print what EEVDF keeps in a task and its queue:
# v vruntime, dl deadline, lag vlag, sl slice, w load weight; minv, av, al, nr of the queue. They need
# a kernel with probes on tracepoints and typed arguments (Debian's 6.12 has both, 6.1 neither).

fw_probes="ev_stat ev_switch ev_wake ev_wakenew"

# add_probes TRACEFS: 0 when all are there (not yet enabled), 1 when this kernel has none of the kind.
add_probes() {
  [ -w "$1/dynamic_events" ] || return 1
  for fw_low in zero_vruntime min_vruntime; do # the queue's base was renamed in 2025
    if fw_add_probes "$1/dynamic_events" $fw_low 2> /dev/null; then return 0; fi
    remove_probes "$1"
  done
  return 1
}

fw_add_probes() {
  fw_own='v=P->se.vruntime:u64 dl=P->se.deadline:u64 lag=P->se.vlag:s64 sl=P->se.slice:u64'
  fw_own="$fw_own w=P->se.load.weight:u64"
  fw_queue="minv=P->se.cfs_rq->$2:u64 av=P->se.cfs_rq->avg_vruntime:s64"
  fw_queue="$fw_queue al=P->se.cfs_rq->avg_load:u64 nr=P->se.cfs_rq->nr_running:u32"
  fw_pair='ppid=prev->pid:s32 npid=next->pid:s32 pstate=prev_state:u32'
  fw_pair="$fw_pair pv=prev->se.vruntime:u64 pdl=prev->se.deadline:u64 plag=prev->se.vlag:s64"
  fw_pair="$fw_pair nv=next->se.vruntime:u64 ndl=next->se.deadline:u64 nlag=next->se.vlag:s64"
  fw_pair="$fw_pair nsl=next->se.slice:u64"
  fw_of() { echo "$2" | sed "s/P->/$1->/g"; }
  echo "t:fairwitness/ev_stat sched_stat_runtime pid=tsk->pid:s32 rt=runtime:u64 $(fw_of tsk "$fw_own")" >> "$1" &&
    echo "t:fairwitness/ev_switch sched_switch $fw_pair $(fw_of next "$fw_queue")" >> "$1" &&
    echo "t:fairwitness/ev_wake sched_wakeup pid=p->pid:s32 $(fw_of p "$fw_own $fw_queue")" >> "$1" &&
    echo "t:fairwitness/ev_wakenew sched_wakeup_new pid=p->pid:s32 $(fw_of p "$fw_own $fw_queue")" >> "$1"
}

# remove_probes TRACEFS: those of add_probes that are there and that nobody has enabled.
remove_probes() {
  for fw_probe in $fw_probes; do
    if grep -q "fairwitness/$fw_probe " "$1/dynamic_events" 2> /dev/null; then
      echo "-:fairwitness/$fw_probe" >> "$1/dynamic_events"
    fi
  done
}
