/** The settings of podman's containers.conf that suit any machine. */
export const CONTAINERS_CONF = [
  "[containers]",
  'default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]',
  "[engine]",
  'cgroup_manager = "cgroupfs"',
  'events_logger = "none"',
  'runtime = "runc"',
];
