package dev.equipoise.agent.lifecycle;

import dev.equipoise.endpoint.ServiceAddress;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.WorkerId;
import java.net.URI;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Worker that an agent is, as its state folder stores it.
 *
 * @param service address at which the agent registered last
 * @param worker null while the service has not confirmed the first registration
 * @param before previous credential, which a service that was restored from a backup knows; null
 *     without one
 * @param host host at the last registration; null while there is none
 */
record WorkerIdentity(
        URI service,
        @Nullable WorkerId worker,
        Credential credential,
        @Nullable Credential before,
        @Nullable HostDescription host) {

    /** Removes a slash at the end of the address, which earlier versions have stored. */
    WorkerIdentity {
        service = ServiceAddress.withoutSlash(Objects.requireNonNull(service, "service"));
        Objects.requireNonNull(credential, "credential");
    }

    /** Returns the identity of an agent that is about to join as a new worker. */
    static WorkerIdentity joining(URI service, Credential credential) {
        return new WorkerIdentity(service, null, credential, null, null);
    }

    /** Returns the identity after a registration that the service has confirmed. */
    WorkerIdentity registered(URI at, WorkerId as, HostDescription on) {
        return new WorkerIdentity(at, as, credential, before, on);
    }

    /** Returns the identity with a newer credential; the current one becomes the previous one. */
    WorkerIdentity renewed(Credential newest) {
        return newest.equals(credential)
                ? this
                : new WorkerIdentity(service, worker, newest, credential, host);
    }

    /** Returns the identity, and then that with the previous credential, if there is one. */
    Stream<WorkerIdentity> byNewestCredential() {
        return before == null
                ? Stream.of(this)
                : Stream.of(this, new WorkerIdentity(service, worker, before, null, host));
    }
}
