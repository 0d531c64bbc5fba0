//! The files of `machines/`.

pub const FILES: &[(&str, &str)] = &[
    ("machines/resource.toml", include_str!("../../../machines/resource.toml")),
    ("machines/memory.toml", include_str!("../../../machines/memory.toml")),
    ("machines/file.toml", include_str!("../../../machines/file.toml")),
    ("machines/directory.toml", include_str!("../../../machines/directory.toml")),
    ("machines/descriptor.toml", include_str!("../../../machines/descriptor.toml")),
    ("machines/socket.toml", include_str!("../../../machines/socket.toml")),
    ("machines/mapping.toml", include_str!("../../../machines/mapping.toml")),
    ("machines/mutex.toml", include_str!("../../../machines/mutex.toml")),
    ("machines/rwlock.toml", include_str!("../../../machines/rwlock.toml")),
];
