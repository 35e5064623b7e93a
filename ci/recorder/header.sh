# SPDX-License-Identifier: Apache-2.0
# Sourced by ci/record-trace and by the guest of ci/conformance (POSIX sh, busybox is enough).
#
# trace_header DEBUGFS COMMAND: what a reader of the trace must know of the kernel, as the
# `# key: value` lines that the importer and `fairwitness validate` read. What this kernel does not
# tell is left out, with one `# unknown: ...` line, so that nobody takes a default for a fact.
# FW_HZ, when set, is the kernel's HZ (a guest has no config file).

fw_hz() {
  if [ -n "${FW_HZ:-}" ]; then
    echo "$FW_HZ"
  elif [ -r "/boot/config-$(uname -r)" ]; then
    sed -n 's/^CONFIG_HZ=//p' "/boot/config-$(uname -r)"
  elif [ -r /proc/config.gz ]; then
    gzip -dc /proc/config.gz | sed -n 's/^CONFIG_HZ=//p'
  fi
}

# What of the boot line bears on scheduling; the rest may hold names of disks and hosts.
fw_boot_words() {
  # shellcheck disable=SC2013  # words are wanted
  for fw_word in $(cat /proc/cmdline); do
    case "$fw_word" in
      preempt=* | noautogroup | isolcpus=* | nohz* | sched* | skew_tick=* | rcu_nocbs=* | \
        threadirqs | nosmp | maxcpus=* | mitigations=* | clocksource=* | tsc=* | highres=*)
        printf '%s ' "$fw_word"
        ;;
    esac
  done
}

fw_fact() { # KEY VALUE
  if [ -n "$2" ]; then
    echo "# $1: $2"
  else
    fw_unknown="$fw_unknown $1"
  fi
}

trace_header() {
  fw_unknown=""
  fw_sched="$1/sched"
  echo "# kernel: $(uname -r) $(uname -v | cut -c 1-60) cmd: $2"
  fw_fact cmdline "$(fw_boot_words)"
  fw_fact hz "$(fw_hz)"
  fw_fact cpus "$(grep -c '^processor' /proc/cpuinfo)"
  if [ -r "$fw_sched/features" ]; then
    fw_fact features "$(cat "$fw_sched/features" 2> /dev/null)"
  else
    fw_fact features "$(cat "$1/sched_features" 2> /dev/null)"
  fi
  for fw_name in latency_ns min_granularity_ns idle_min_granularity_ns wakeup_granularity_ns \
    base_slice_ns tunable_scaling migration_cost_ns nr_migrate; do
    fw_value=""
    for fw_file in "$fw_sched/$fw_name" "/proc/sys/kernel/sched_$fw_name"; do
      [ -r "$fw_file" ] && fw_value=$(cat "$fw_file" 2> /dev/null) && break
    done
    [ -n "$fw_value" ] && echo "# $fw_name: $fw_value"
  done
  [ -n "${FW_NR_LATENCY:-}" ] && echo "# nr_latency: $FW_NR_LATENCY"
  fw_fact preempt "$(cat "$fw_sched/preempt" 2> /dev/null || uname -v | grep -o 'PREEMPT[_A-Z]*')"
  fw_fact autogroup "$(cat /proc/sys/kernel/sched_autogroup_enabled 2> /dev/null || echo none)"
  [ -z "$fw_unknown" ] || echo "# unknown:$fw_unknown"
}
