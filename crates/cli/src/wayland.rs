//! Keeps Wayland's library silent on machines without a display.
//!
//! With Mesa's drivers, Vulkan has a layer that asks Wayland which GPU draws the screen, although we draw
//! nothing. Where no desktop runs, `XDG_RUNTIME_DIR` is not set, and libwayland then writes "error:
//! XDG_RUNTIME_DIR is invalid or not set in the environment." to standard error, each time a GPU is opened.
//! It does so unless `WAYLAND_DISPLAY` is an absolute path. So the program starts itself anew with a path
//! that leads to no display. Two other ways do not work: setting the variable in the running program would be
//! `unsafe`, because C reads variables in other threads; and Vulkan without that layer would ignore
//! `MESA_VK_DEVICE_SELECT`.

#[cfg(all(target_os = "linux", feature = "gpu"))]
pub fn be_silent() {
    use std::env;
    use std::os::unix::ffi::OsStrExt;
    use std::os::unix::process::CommandExt;
    use std::process::Command;

    let is_path = |name: &str| env::var_os(name).is_some_and(|value| value.as_bytes().starts_with(b"/"));
    // WAYLAND_DISPLAY is a path after the new start. With WAYLAND_SOCKET, Wayland needs neither of the
    // others.
    if is_path("XDG_RUNTIME_DIR") || is_path("WAYLAND_DISPLAY") || env::var_os("WAYLAND_SOCKET").is_some() {
        return;
    }
    let Ok(program) = env::current_exe() else { return };
    let mut arguments = env::args_os();
    let mut command = Command::new(program);
    if let Some(name) = arguments.next() {
        command.arg0(name);
    }
    // The same process goes on in the new start. `exec` returns only if that failed: then the line appears.
    let _ = command.args(arguments).env("WAYLAND_DISPLAY", "/dev/null").exec();
}

/// Only Linux has Wayland, and only GPUs ask it.
#[cfg(not(all(target_os = "linux", feature = "gpu")))]
pub fn be_silent() {}
