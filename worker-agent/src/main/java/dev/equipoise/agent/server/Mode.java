package dev.equipoise.agent.server;

/** When a server applies gradients. */
public sealed interface Mode {

    /** When all workers have pushed theirs; all get the new values in the same round. */
    record Synchronous(Aggregate aggregate) implements Mode {}

    /** Each on arrival; whoever pulls gets the values of that moment. */
    record Asynchronous() implements Mode {}

    /** What becomes of the workers' gradients of one round. */
    enum Aggregate {
        /** Their sum (Li et al. 2018). */
        SUM,
        /** Their sum over the number of workers; servers do not count (Zhu et al. 2020). */
        MEAN
    }
}
