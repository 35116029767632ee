package dev.equipoise.app.worker;

import java.time.Instant;

/**
 * Time in which a worker had one state and one cordon.
 *
 * @param from begin, within the asked time
 * @param to end, within the asked time
 * @param state state of the worker
 * @param cordon whether an administrator excluded it from new work
 */
record StateInterval(Instant from, Instant to, WorkerState state, Cordon cordon) {}
