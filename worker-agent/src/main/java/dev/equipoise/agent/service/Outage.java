package dev.equipoise.agent.service;

import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs for each kind of call the first temporary failure of an outage, and its end. Any thread may
 * call.
 */
final class Outage {

    private static final Logger log = LoggerFactory.getLogger(Outage.class);

    /** Kinds of calls that fail at present. Guarded by this. */
    private final Set<String> failing = new HashSet<>();

    /**
     * Takes note of a failure, which the caller handles.
     *
     * @param call kind of call, for people
     */
    synchronized void failed(String call, ServiceFailed failure) {
        if (!failure.isTemporary()) {
            answered(call);
        } else if (failing.add(call)) {
            log.warn("{} failed: {}; trying again", call, failure.getMessage());
        }
    }

    /** Takes note of an answer of the service. */
    synchronized void answered(String call) {
        if (failing.remove(call)) {
            log.info("{} succeeded: the service answers again", call);
        }
    }
}
