//! System call numbers, which differ by architecture, and those that bots may use.

#[cfg(target_arch = "x86_64")]
mod table {
    pub const READ: usize = 0;
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const RT_SIGACTION: usize = 13;
    pub const GETPID: usize = 39;
    pub const EXECVE: usize = 59;
    pub const CHDIR: usize = 80;
    pub const FCHDIR: usize = 81;
    pub const CAPGET: usize = 125;
    pub const CAPSET: usize = 126;
    pub const PIVOT_ROOT: usize = 155;
    pub const PRCTL: usize = 157;
    pub const MOUNT: usize = 165;
    pub const UMOUNT2: usize = 166;
    pub const EXIT_GROUP: usize = 231;
    pub const OPENAT: usize = 257;
    pub const MKDIRAT: usize = 258;
    pub const MKNODAT: usize = 259;
    pub const SYMLINKAT: usize = 266;
    pub const PRLIMIT64: usize = 302;
    pub const SECCOMP: usize = 317;
    pub const CLONE: u32 = 56;
    pub const MEMFD_CREATE: u32 = 319;
    pub const MMAP: u32 = 9;
    pub const TKILL: u32 = 200;
    pub const IOCTL: u32 = 16;
    pub const CLOSE_RANGE: u32 = 436;
    pub const FCNTL: u32 = 72;
    pub const SOCKET: u32 = 41;
    pub const AUDIT_ARCH: u32 = 0xC000_003E;
    /// Allowed for the process itself only: kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo prlimit64 sched_setaffinity.
    pub const OWN: [u32; 6] = [62, 234, 129, 297, 302, 203];
    /// Calls that make files, with a mode as second argument: creat mknod.
    pub const MAKE_WITH_MODE_SECOND: &[u32] = &[85, 133];
    /// Those with a mode as third argument: mknodat.
    pub const MAKE_WITH_MODE_THIRD: &[u32] = &[259];
    /// Those with flags as second argument and a mode as third: open.
    pub const OPEN_WITH_FLAGS_SECOND: &[u32] = &[2];
    /// Those with flags as third argument and a mode as fourth: openat.
    pub const OPEN_WITH_FLAGS_THIRD: &[u32] = &[257];
    /// Calls that change modes, with a mode as second argument: chmod fchmod.
    pub const CHANGE_MODE_SECOND: &[u32] = &[90, 91];
    /// Those with a mode as third argument: fchmodat.
    pub const CHANGE_MODE_THIRD: &[u32] = &[268];
    /// Allowed without a look at the arguments: all that the runtimes of the languages ask for, and what is harmless. Not
    /// sendmsg, which sends open files to where nobody counts them, and not inotify, of which each user has little.
    pub const ALLOWED: &[u32] = &[
        0, 1, 3, 4, 5, 6, 7, 8, // read write close stat fstat lstat poll lseek
        10, 11, 12, 13, 14, 15, // mprotect munmap brk rt_sigaction rt_sigprocmask rt_sigreturn
        17, 18, 19, 20, 21, 22, 23, 24, 25, // pread64 pwrite64 readv writev access pipe select sched_yield mremap
        26, 27, 28, 32, 33, 34, 35, // msync mincore madvise dup dup2 pause nanosleep
        36, 37, 38, 39, 40, // getitimer alarm setitimer getpid sendfile
        44, 45, 47, 48, // sendto recvfrom recvmsg shutdown, for socketpair: Java reads files with its help
        51, 52, 53, 55, // getsockname getpeername socketpair getsockopt
        59, 60, 61, 63, // execve exit wait4 uname
        73, 74, 75, 76, 77, 78, 79, // flock fsync fdatasync truncate ftruncate getdents getcwd
        80, 81, 82, 83, 84, 86, 87, 88, 89, // chdir fchdir rename mkdir rmdir link unlink symlink readlink
        95, 96, 97, 98, 99, 100, 102, 104, // umask gettimeofday getrlimit getrusage sysinfo times getuid getgid
        107, 108, 110, 111, 115, 118, 120, // geteuid getegid getppid getpgrp getgroups getresuid getresgid
        121, 124, 125, 127, 128, 130,
        131, // getpgid getsid capget rt_sigpending rt_sigtimedwait rt_sigsuspend sigaltstack
        137, 138, 140, 143, 145, 146, 147, 148, // statfs fstatfs getpriority sched_get*
        149, 150, 151, 152, // mlock munlock mlockall munlockall
        158, 160, 186, 187, // arch_prctl setrlimit gettid readahead
        191, 192, 193, 194, 195, 196, // getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
        201, 202, 204, 213, 217, 218,
        219, // time futex sched_getaffinity epoll_create getdents64 set_tid_address restart_syscall
        221, 222, 223, 224, 225,
        226, // fadvise64 timer_create timer_settime timer_gettime timer_getoverrun timer_delete
        228, 229, 230, 231, 232,
        233, // clock_gettime clock_getres clock_nanosleep exit_group epoll_wait epoll_ctl
        237, 238, 239, 247, // mbind set_mempolicy get_mempolicy waitid
        258, 262, 263, 264, 265, 266, 267, // mkdirat newfstatat unlinkat renameat linkat symlinkat readlinkat
        269, 270, 271, 273, 274, 275, 276,
        277, // faccessat pselect6 ppoll set_robust_list get_robust_list splice tee sync_file_range
        281, 282, 283, 284, 285, 286,
        287, // epoll_pwait signalfd timerfd_create eventfd fallocate timerfd_settime timerfd_gettime
        289, 290, 291, 292, 293, 295, 296, // signalfd4 eventfd2 epoll_create1 dup3 pipe2 preadv pwritev
        299, 309, 315, 316, 318, // recvmmsg getcpu sched_getattr renameat2 getrandom
        322, 324, 325, 326, 327, 328, // execveat membarrier mlock2 copy_file_range preadv2 pwritev2
        329, 330, 331, 332, 334, // pkey_mprotect pkey_alloc pkey_free statx rseq
        439, 441, 449, 454, 455, 456, 462, // faccessat2 epoll_pwait2 futex_waitv futex_* mseal
    ];
    /// Refused to builds, besides all that [`YOUNG_REFUSED`](super::YOUNG_REFUSED) has.
    pub const REFUSED_TO_BUILDS: &[u32] = &[
        29, 30, 31, 64, 65, 66, 67, 68, 69, 70, 71, 220, // shm* sem* msg*
        240, 241, 242, 243, 244, 245, // mq_*
        101, 310, 311, 312, // ptrace process_vm_readv process_vm_writev kcmp
        103, 135, 155, 159, 161, 163, 164, 165,
        166, // syslog personality pivot_root adjtimex chroot acct settimeofday mount umount2
        167, 168, 169, 170, 171, 172, 173, // swapon swapoff reboot sethostname setdomainname iopl ioperm
        175, 176, 313, 179, 180, 212, // init_module delete_module finit_module quotactl nfsservctl lookup_dcookie
        227, 305, 246, 320, 248, 249,
        250, // clock_settime clock_adjtime kexec_load kexec_file_load add_key request_key keyctl
        272, 308, 298, 300, 301, 303,
        304, // unshare setns perf_event_open fanotify_* name_to_handle_at open_by_handle_at
        321, 323, // bpf userfaultfd
    ];
}
#[cfg(target_arch = "aarch64")]
mod table {
    pub const READ: usize = 63;
    pub const WRITE: usize = 64;
    pub const CLOSE: usize = 57;
    pub const RT_SIGACTION: usize = 134;
    pub const GETPID: usize = 172;
    pub const EXECVE: usize = 221;
    pub const CHDIR: usize = 49;
    pub const FCHDIR: usize = 50;
    pub const CAPGET: usize = 90;
    pub const CAPSET: usize = 91;
    pub const PIVOT_ROOT: usize = 41;
    pub const PRCTL: usize = 167;
    pub const MOUNT: usize = 40;
    pub const UMOUNT2: usize = 39;
    pub const EXIT_GROUP: usize = 94;
    pub const OPENAT: usize = 56;
    pub const MKDIRAT: usize = 34;
    pub const MKNODAT: usize = 33;
    pub const SYMLINKAT: usize = 36;
    pub const PRLIMIT64: usize = 261;
    pub const SECCOMP: usize = 277;
    pub const CLONE: u32 = 220;
    pub const MEMFD_CREATE: u32 = 279;
    pub const MMAP: u32 = 222;
    pub const TKILL: u32 = 130;
    pub const IOCTL: u32 = 29;
    pub const CLOSE_RANGE: u32 = 436;
    pub const FCNTL: u32 = 25;
    pub const SOCKET: u32 = 198;
    pub const AUDIT_ARCH: u32 = 0xC000_00B7;
    /// As on the other architecture.
    pub const OWN: [u32; 6] = [129, 131, 138, 240, 261, 122];
    /// As on the other architecture, which has more of them.
    pub const MAKE_WITH_MODE_SECOND: &[u32] = &[];
    pub const MAKE_WITH_MODE_THIRD: &[u32] = &[33];
    pub const OPEN_WITH_FLAGS_SECOND: &[u32] = &[];
    pub const OPEN_WITH_FLAGS_THIRD: &[u32] = &[56];
    pub const CHANGE_MODE_SECOND: &[u32] = &[52];
    pub const CHANGE_MODE_THIRD: &[u32] = &[53];
    /// As on the other architecture.
    pub const ALLOWED: &[u32] = &[
        17, 19, 20, 21, 22, 23, 24, // getcwd eventfd2 epoll_create1 epoll_ctl epoll_pwait dup dup3
        32, 34, 35, 36, 37, 38, // flock mkdirat unlinkat symlinkat linkat renameat
        8, 9, 10, 11, 12, 13, // getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
        43, 44, 45, 46, 47, 48, 49, 50, // statfs fstatfs truncate ftruncate fallocate faccessat chdir fchdir
        57, 59, 61, 62, 63, 64, 65, 66, // close pipe2 getdents64 lseek read write readv writev
        67, 68, 69, 70, 71, 72, 73, 74, 76,
        77, // pread64 pwrite64 preadv pwritev sendfile pselect6 ppoll signalfd4 splice tee
        78, 79, 80, 82, 83, 84, 85, 86,
        87, // readlinkat newfstatat fstat fsync fdatasync sync_file_range timerfd_*
        90, 93, 94, 95, 96, 98, 99, 100, 101, 102,
        103, // capget exit exit_group waitid set_tid_address futex *_robust_list nanosleep *itimer
        107, 108, 109, 110, 111, 113, 114, 115, // timer_* clock_gettime clock_getres clock_nanosleep
        120, 121, 123, 124, 125, 126, 127, 128, // sched_get* sched_yield restart_syscall
        132, 133, 134, 135, 136, 137, 139, 141, // sigaltstack rt_sig* getpriority
        148, 150, 153, 155, 156, 158, 160, 163, 164, 165,
        166, // getres* times getpgid getsid getgroups uname *rlimit getrusage umask
        168, 169, 172, 173, 174, 175, 176, 177, 178,
        179, // getcpu gettimeofday getpid getppid get*id gettid sysinfo
        199, 204, 205, 206, 207, 209, 210, 212,
        213, // socketpair get*name sendto recvfrom getsockopt shutdown recvmsg readahead
        214, 215, 216, 221, 223, 226, 227, 228, 229, 230, 231, 232,
        233, // brk munmap mremap execve fadvise64 mprotect msync mlock* mincore madvise
        235, 236, 237, 243, 260, 275, 276,
        278, // mbind *_mempolicy recvmmsg wait4 sched_getattr renameat2 getrandom
        281, 283, 284, 285, 286, 287, 288, 289, 290, 291,
        293, // execveat membarrier mlock2 copy_file_range *v2 pkey_* statx rseq
        439, 441, 449, 454, 455, 456, 462, // as on the other architecture
    ];
    /// As on the other architecture.
    pub const REFUSED_TO_BUILDS: &[u32] = &[
        186, 187, 188, 189, 190, 191, 192, 193, 194, 195, 196, 197, // msg* sem* shm*
        180, 181, 182, 183, 184, 185, // mq_*
        117, 270, 271, 272, // ptrace process_vm_readv process_vm_writev kcmp
        116, 92, 41, 171, 51, 89, 170, 40,
        39, // syslog personality pivot_root adjtimex chroot acct settimeofday mount umount2
        224, 225, 142, 161, 162, // swapon swapoff reboot sethostname setdomainname
        105, 106, 273, 60, 42, 18, // init_module delete_module finit_module quotactl nfsservctl lookup_dcookie
        112, 266, 104, 294, 217, 218, 219, // clock_settime clock_adjtime kexec_* add_key request_key keyctl
        97, 268, 241, 262, 263, 264, 265, // unshare setns perf_event_open fanotify_* *_by_handle_at
        280, 282, // bpf userfaultfd
    ];
}

/// Refused to builds, by numbers that all architectures have in common: io_uring_*, open_tree move_mount fs*, openat2,
/// pidfd_getfd, process_madvise, mount_setattr, quotactl_fd, memfd_secret, fchmodat2, open_tree_attr, file_setattr. A filter
/// cannot see the mode that openat2 is given, and libraries do without both. No limit counts the memory of memfd_secret.
pub const YOUNG_REFUSED: &[u32] =
    &[425, 426, 427, 428, 429, 430, 431, 432, 433, 437, 438, 440, 442, 443, 447, 452, 467, 469];

pub use table::*;
