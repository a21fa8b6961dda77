//! System calls that are refused, as in a sandbox.

/// From here on this is no system call: for the calling thread and those that it starts, or, with the flag `TSYNC` of
/// seccomp(2), for any thread of this process.
pub(crate) fn refuse_system_call(number: libc::c_long, flags: libc::c_ulong) {
    // The number of the system call, the first word of what a filter is given.
    let load = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    let if_equal = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    let ret = libc::BPF_RET | libc::BPF_K;
    let step = |code: u32, k: u32, jt, jf| libc::sock_filter { code: code as u16, jt, jf, k };
    let mut program = [
        step(load, 0, 0, 0),
        step(if_equal, number as u32, 0, 1),
        step(ret, libc::SECCOMP_RET_ERRNO | libc::EPERM as u32, 0, 0),
        step(ret, libc::SECCOMP_RET_ALLOW, 0, 0),
    ];
    let filter = libc::sock_fprog { len: program.len() as u16, filter: program.as_mut_ptr() };
    // SAFETY: as the manual of prctl(2) has it.
    assert_eq!(unsafe { libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) }, 0);
    let mode = libc::SECCOMP_SET_MODE_FILTER;
    // SAFETY: as that of seccomp(2) has it; the program outlives the call.
    let status = unsafe { libc::syscall(libc::SYS_seccomp, mode, flags, &raw const filter) };
    assert_eq!(status, 0);
}
