package dev.equipoise.app.worker;

/** Whether an administrator lets a worker be given work; what it does already goes on. */
public enum Cordon {
    /** It takes work. */
    OPEN,
    /** It takes nothing new, and stays. */
    CORDONED,
    /** It takes nothing new, and is told to leave as soon as it has nothing to do. */
    DRAINED
}
