package dev.equipoise.protocol;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * Request of the service to an agent to try whether it reaches another worker. The service names
 * admitted workers alone, each at the data address that it reported.
 *
 * @param worker id of the worker to reach
 * @param address data address of the worker, as {@code host:port}
 * @param key public key by which the worker proves that it answers; null if its agent has none, or
 *     of services that predate the field: then any agent may answer
 */
public record ProbeRequest(
        WorkerId worker,
        String address,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable ProbeKey key) {

    public ProbeRequest {
        Rules.present("worker", worker);
        Rules.address("address", address, Heartbeat.MAX_ADDRESS);
    }

    /** Creates a request without a key. */
    public ProbeRequest(WorkerId worker, String address) {
        this(worker, address, null);
    }
}
