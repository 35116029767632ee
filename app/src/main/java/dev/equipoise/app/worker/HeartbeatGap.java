package dev.equipoise.app.worker;

import dev.equipoise.protocol.WorkerId;
import java.time.Instant;

/**
 * A worker sent a heartbeat after more than the session timeout, by the clock of the service: the
 * service could not hear it, or the clock jumped. Published in the transaction of the heartbeat.
 *
 * @param from previous heartbeat
 * @param until this heartbeat; before {@code from} if the clock was set back
 */
public record HeartbeatGap(WorkerId worker, Instant from, Instant until) {}
