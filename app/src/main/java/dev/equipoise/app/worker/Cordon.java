package dev.equipoise.app.worker;

/** Whether an administrator excludes a worker from new work. Current work continues. */
public enum Cordon {
    /** The worker takes work. */
    OPEN,
    /** The worker takes no new work and stays. */
    CORDONED,
    /** The worker takes no new work and leaves as soon as its current work has ended. */
    DRAINED
}
