#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# /init of the guest: plays every workload of /w under its settings, and hands each trace, compressed,
# in a tar stream to the second serial port. busybox and recorder-player are all there is.
export PATH=/bin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t debugfs debug /sys/kernel/debug
mount -t tracefs trace /sys/kernel/tracing
. /lib/header.sh
. /lib/probes.sh
. /w/guest.sh # FW_HZ
tracing=/sys/kernel/tracing
sched=/sys/kernel/debug/sched
stty -F /dev/ttyS1 raw

# set_to FILE VALUE: the guest says so when the kernel does not take it.
set_to() {
  if [ -n "$2" ] && ! echo "$2" > "$1"; then echo "trouble: $1 does not take $2"; fi
}

apply_settings() {
  # Two kernels have not the same files; what a workload does not name stays empty.
  FW_FEATURES='' FW_latency_ns='' FW_min_granularity_ns='' FW_wakeup_granularity_ns=''
  FW_base_slice_ns='' FW_NR_LATENCY='' FW_PREEMPT='' FW_MS='' FW_PIN=''
  . "$1"
  for feature in $FW_FEATURES; do set_to $sched/features "$feature"; done
  set_to $sched/latency_ns "$FW_latency_ns"
  set_to $sched/min_granularity_ns "$FW_min_granularity_ns"
  set_to $sched/wakeup_granularity_ns "$FW_wakeup_granularity_ns"
  set_to $sched/base_slice_ns "$FW_base_slice_ns"
  # Only this write makes the kernel count anew what it derives from them.
  set_to $sched/tunable_scaling "$(cat $sched/tunable_scaling)"
  set_to $sched/preempt "$FW_PREEMPT"
}

for event in sched_switch sched_wakeup sched_wakeup_new sched_process_fork sched_process_exit \
  sched_migrate_task sched_stat_runtime; do
  set_to $tracing/events/sched/$event/enable 1
done
set_to $tracing/events/syscalls/sys_enter_sched_yield/enable 1
# A change of nice has no event of its own.
set_to $tracing/events/syscalls/sys_enter_setpriority/enable 1
if add_probes $tracing; then set_to $tracing/events/fairwitness/enable 1; fi
set_to $tracing/tracing_on 0
set_to $tracing/options/overwrite 0
set_to $tracing/buffer_size_kb 3072

mkdir -p /out
cd /out || poweroff -f
for workload in /w/*.json; do
  name=$(basename "$workload" .json)
  apply_settings "/w/$name.sh"
  echo > $tracing/trace
  echo "workload $name: $FW_MS ms"
  recorder-player "$workload" "$FW_MS" $tracing/tracing_on > /out/said 2>&1
  sed "s/^/  /" /out/said
  {
    trace_header /sys/kernel/debug "recorder-player $name.json $FW_MS"
    sed 's/^/# out: /' /out/said
    cat $tracing/trace
  } | gzip -1 > "$name.ftrace.txt.gz"
  tar -cf - "$name.ftrace.txt.gz" > /dev/ttyS1
  rm "$name.ftrace.txt.gz"
done
echo "all workloads played"
poweroff -f
