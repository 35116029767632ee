package dev.equipoise.protocol;

/**
 * Request of the service to an agent to try whether it reaches another worker. The service names
 * admitted workers alone, each at the data address that it reported.
 *
 * @param worker id of the worker to reach
 * @param address data address of the worker, as {@code host:port}
 */
public record ProbeRequest(WorkerId worker, String address) {

    public ProbeRequest {
        Rules.present("worker", worker);
        Rules.address("address", address, Heartbeat.MAX_ADDRESS);
    }
}
