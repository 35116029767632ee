package dev.equipoise.app.worker;

import java.time.Instant;

/**
 * A change of the state or the cordon of a worker.
 *
 * @param state state from then on
 * @param cordon cordon from then on
 */
record StateChange(Instant at, WorkerState state, Cordon cordon) {}
