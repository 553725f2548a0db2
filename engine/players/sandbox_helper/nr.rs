//! System call numbers, which differ by architecture, and those that bots are refused.

#[cfg(target_arch = "x86_64")]
mod table {
    pub const WRITE: usize = 1;
    pub const CLOSE: usize = 3;
    pub const GETPID: usize = 39;
    pub const EXECVE: usize = 59;
    pub const CAPGET: usize = 125;
    pub const CAPSET: usize = 126;
    pub const PRCTL: usize = 157;
    pub const EXIT_GROUP: usize = 231;
    pub const OPENAT: usize = 257;
    pub const PRLIMIT64: usize = 302;
    pub const SECCOMP: usize = 317;
    pub const CLONE: u32 = 56;
    pub const MEMFD_CREATE: u32 = 319;
    pub const MMAP: u32 = 9;
    pub const TKILL: u32 = 200;
    pub const AUDIT_ARCH: u32 = 0xC000_003E;
    /// Allowed for the process itself only: kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo prlimit64 sched_setaffinity.
    pub const OWN: [u32; 6] = [62, 234, 129, 297, 302, 203];
    /// Not socketpair: Java reads files with its help, and it leads nowhere.
    pub const DENIED: &[u32] = &[
        57, 58, // fork vfork
        41, 42, 43, 49, 50, 288, // socket connect accept bind listen accept4
        109, 112, 424, // setpgid setsid pidfd_send_signal
        141, 142, 144, 314, 251, // setpriority sched_setparam sched_setscheduler sched_setattr ioprio_set
        165, 166, 155, 161, 272, 308, // mount umount2 pivot_root chroot unshare setns
        428, 429, 430, 431, 432, 433, 442, // open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
        101, 310, 311, 438, 440, // ptrace process_vm_readv process_vm_writev pidfd_getfd process_madvise
        425, 426, 427, // io_uring_*
        321, 298, 323, // bpf perf_event_open userfaultfd
        248, 249, 250, // add_key request_key keyctl
        29, 30, 31, // shmget shmat shmctl
        68, 69, 70, 240, // msgget msgsnd msgrcv mq_open
        64, 65, 303, 304, // semget semop name_to_handle_at open_by_handle_at
        90, 91, 268, 452, // chmod fchmod fchmodat fchmodat2
        92, 93, 94, 260, // chown fchown lchown fchownat
        132, 235, 261, 280, // utime utimes futimesat utimensat
        188, 189, 190, 463, // setxattr lsetxattr fsetxattr setxattrat
        197, 198, 199, 466, // removexattr lremovexattr fremovexattr removexattrat
        254, // inotify_add_watch
    ];
}
#[cfg(target_arch = "aarch64")]
mod table {
    pub const WRITE: usize = 64;
    pub const CLOSE: usize = 57;
    pub const GETPID: usize = 172;
    pub const EXECVE: usize = 221;
    pub const CAPGET: usize = 90;
    pub const CAPSET: usize = 91;
    pub const PRCTL: usize = 167;
    pub const EXIT_GROUP: usize = 94;
    pub const OPENAT: usize = 56;
    pub const PRLIMIT64: usize = 261;
    pub const SECCOMP: usize = 277;
    pub const CLONE: u32 = 220;
    pub const MEMFD_CREATE: u32 = 279;
    pub const MMAP: u32 = 222;
    pub const TKILL: u32 = 130;
    pub const AUDIT_ARCH: u32 = 0xC000_00B7;
    /// As on the other architecture.
    pub const OWN: [u32; 6] = [129, 131, 138, 240, 261, 122];
    /// As on the other architecture; fork and vfork do not exist here.
    pub const DENIED: &[u32] = &[
        198, 203, 202, 200, 201, 242, // socket connect accept bind listen accept4
        154, 157, 424, // setpgid setsid pidfd_send_signal
        140, 118, 119, 274, 30, // setpriority sched_setparam sched_setscheduler sched_setattr ioprio_set
        40, 39, 41, 51, 97, 268, // mount umount2 pivot_root chroot unshare setns
        428, 429, 430, 431, 432, 433, 442, // open_tree move_mount fsopen fsconfig fsmount fspick mount_setattr
        117, 270, 271, 438, 440, // ptrace process_vm_readv process_vm_writev pidfd_getfd process_madvise
        425, 426, 427, // io_uring_*
        280, 241, 282, // bpf perf_event_open userfaultfd
        217, 218, 219, // add_key request_key keyctl
        194, 196, 195, // shmget shmat shmctl
        186, 189, 188, 180, // msgget msgsnd msgrcv mq_open
        190, 193, 264, 265, // semget semop name_to_handle_at open_by_handle_at
        52, 53, 452, // fchmod fchmodat fchmodat2
        55, 54, // fchown fchownat
        88, // utimensat
        5, 6, 7, 463, // setxattr lsetxattr fsetxattr setxattrat
        14, 15, 16, 466, // removexattr lremovexattr fremovexattr removexattrat
        27,  // inotify_add_watch
    ];
}

pub use table::*;
