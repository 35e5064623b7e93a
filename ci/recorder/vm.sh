# SPDX-License-Identifier: Apache-2.0
# Sourced by ci/conformance and ci/witness (bash): Debian's kernel packages in a QEMU guest.
# The caller sets `build` (the build folder) and gives a `say` and a `skip REASON` (which exits).

vm_kernels=6.1,6.12

# vm_need_tools: qemu, busybox and cpio; installed as root, else the one line is printed.
vm_need_tools() {
  [ "$(dpkg --print-architecture 2> /dev/null)" = amd64 ] ||
    skip "the kernel packages are taken for Debian amd64, which this machine is not"
  local packages=() line
  command -v qemu-system-x86_64 > /dev/null || packages+=(qemu-system-x86)
  command -v cpio > /dev/null || packages+=(cpio)
  dpkg-query -W -f '${Status}' busybox-static 2> /dev/null | grep -q '^install ok installed' ||
    packages+=(busybox-static)
  [ ${#packages[@]} -gt 0 ] || return 0
  line="apt-get install -y --no-install-recommends ${packages[*]}"
  [ "$(id -u)" -eq 0 ] || skip "packages are missing; as root, run: $line"
  say "installing: ${packages[*]}"
  if ! { apt-get update && DEBIAN_FRONTEND=noninteractive $line; } > "$work/apt.log" 2>&1; then
    skip "installing failed ($(tail -n 1 "$work/apt.log")); the line was: $line"
  fi
}

# vm_need_kernel VERSION: the newest cloud image of that version that apt offers, unpacked once below
# the build folder. Sets vm_package, vm_image and vm_hz.
vm_need_kernel() {
  local cache=$build/kernels unpacked
  vm_package=$(apt-cache pkgnames linux-image-"$1". 2> /dev/null |
    grep -E -- '-cloud-amd64(-unsigned)?$' | sort -V | tail -n 1)
  # The signed and the unsigned package hold the same kernel.
  vm_package=${vm_package%-unsigned}
  apt-cache show "$vm_package" > /dev/null 2>&1 || vm_package=$vm_package-unsigned
  [ "$vm_package" != -unsigned ] || skip "apt offers no linux-image-$1.*-cloud-amd64 here"
  unpacked=$cache/$vm_package
  if [ ! -e "$unpacked/complete" ]; then
    mkdir -p "$cache"
    rm -rf "$unpacked" "$cache/get"
    mkdir "$cache/get"
    say "getting $vm_package"
    if ! (cd "$cache/get" && apt-get download "$vm_package" && dpkg -x ./*.deb "$unpacked") \
      > "$work/apt.log" 2>&1; then
      skip "cannot get $vm_package: $(tail -n 1 "$work/apt.log")"
    fi
    rm -rf "$cache/get" "$unpacked/lib" "$unpacked/usr"
    touch "$unpacked/complete"
  fi
  vm_image=$(echo "$unpacked"/boot/vmlinuz-*)
  vm_hz=$(sed -n 's/^CONFIG_HZ=//p' "$unpacked"/boot/config-*)
}

# vm_play FOLDER CPUS SECONDS: plays FOLDER's workloads (NN.json with NN.sh); the traces lie in it
# afterwards, beside console.txt. Fails when the guest did not come to its end.
vm_play() {
  local root=$work/root folder=$1 cpus=$2 limit=$3 clock=()
  rm -rf "$root"
  mkdir -p "$root"/{bin,lib,w,proc,sys,dev,tmp}
  cp /bin/busybox "$build/recorder-player" "$root/bin/"
  strip "$root/bin/recorder-player" 2> /dev/null || true
  ln -s busybox "$root/bin/sh"
  cp "$here/recorder/header.sh" "$here/recorder/probes.sh" "$root/lib/"
  cp "$here/recorder/guest-init.sh" "$root/init"
  chmod +x "$root/init"
  cp "$folder"/*.json "$folder"/*.sh "$root/w/"
  echo "FW_HZ='$vm_hz'" > "$root/w/guest.sh"
  (cd "$root" && find . | LC_ALL=C sort | cpio -o -H newc --quiet -R 0:0) | gzip -1 > "$work/initrd.gz"
  # Counted instructions keep the guest's time apart from this machine's load; QEMU does that for
  # one CPU only.
  [ "$cpus" -gt 1 ] || clock=(-icount "shift=1,sleep=off")
  local status=0
  nice -n 5 timeout "$limit" qemu-system-x86_64 -M q35,hpet=off -nodefaults -no-user-config \
    -cpu max,-rdrand,-rdseed -accel "tcg,thread=$([ "$cpus" -gt 1 ] && echo multi || echo single)" \
    -m 512 -smp "$cpus" -display none -no-reboot -seed 1 -rtc base=2020-01-01,clock=vm "${clock[@]}" \
    -kernel "$vm_image" -initrd "$work/initrd.gz" \
    -append "console=ttyS0 quiet panic=-1 nokaslr norandmaps noautogroup cryptomgr.notests tsc=reliable random.trust_cpu=off random.trust_bootloader=off" \
    -serial "file:$folder/console.txt" -serial "file:$work/out.tar" \
    < /dev/null > "$work/qemu.log" 2>&1 || status=$?
  [ ! -s "$work/out.tar" ] || tar -xif "$work/out.tar" -C "$folder" 2> "$work/tar.log" || true
  if [ "$status" -eq 124 ]; then
    say "the guest was stopped after $limit s"
    return 1
  elif [ "$status" -ne 0 ] || ! grep -q "all workloads played" "$folder/console.txt"; then
    say "the guest did not come to its end: $(tail -n 1 "$work/qemu.log") $(tail -n 1 "$folder/console.txt")"
    return 1
  fi
}
