package dev.equipoise.agent.lifecycle;

import dev.equipoise.agent.network.step.Backend;
import dev.equipoise.agent.service.ServiceClient;
import dev.equipoise.agent.service.ServiceFailed;
import dev.equipoise.agent.time.ExponentialBackoff;
import dev.equipoise.agent.time.Time;
import dev.equipoise.protocol.Credential;
import dev.equipoise.protocol.HostDescription;
import dev.equipoise.protocol.ProbeKey;
import dev.equipoise.protocol.ProtocolVersion;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.SoftwareVersion;
import java.net.URI;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Registers this agent at the service: as the worker of its state folder, or else as a new worker
 * with the join token. A credential is on disk before it is sent, so that a process that ends at
 * any point is the same worker when it starts again.
 */
final class Enrollment {

    private static final Logger log = LoggerFactory.getLogger(Enrollment.class);

    private final AgentSettings settings;
    private final StateFolder state;
    private final List<String> folders;
    private final Backend backend;
    private final Time time;
    private final SecureRandom random;

    /**
     * @param folders names of the data folders of this host, as far as they are known
     */
    Enrollment(
            AgentSettings settings,
            StateFolder state,
            List<String> folders,
            Backend backend,
            Time time,
            SecureRandom random) {
        this.settings = settings;
        this.state = state;
        this.folders = List.copyOf(folders);
        this.backend = backend;
        this.time = time;
        this.random = random;
    }

    /**
     * Addresses at which the other agents reach this one, as host:port.
     *
     * @param cluster of the cluster member
     * @param data of the data socket
     * @param probeKey by which probes recognize this process at its data socket
     */
    record Addresses(String cluster, String data, ProbeKey probeKey) {}

    /**
     * Registers, and repeats the same registration until the service answers it, so that the
     * service takes it once.
     *
     * @param end nanosecond of the clock after which a failed attempt is not repeated
     * @throws AgentFailed when the service rejects it, or has not answered before the end
     */
    ServiceClient enroll(Addresses addresses, long end) throws InterruptedException {
        List<WorkerIdentity> known =
                Stream.concat(state.joining().stream(), state.identity().stream())
                        .flatMap(WorkerIdentity::byNewestCredential)
                        .toList();
        for (WorkerIdentity identity : known) {
            Optional<ServiceClient> returned = comeBack(identity, addresses, end);
            if (returned.isPresent()) {
                return returned.get();
            }
        }
        return joinAnew(addresses, end);
    }

    /**
     * Returns empty if the service does not know the credential.
     *
     * @throws AgentFailed when the service knows the worker and cannot take it back
     */
    private Optional<ServiceClient> comeBack(WorkerIdentity identity, Addresses addresses, long end)
            throws InterruptedException {
        Registration registration = registration(addresses, identity.credential());
        ServiceClient service;
        try {
            service = register(identity.credential().text(), registration, end);
        } catch (ServiceFailed e) {
            requireUnknown(identity, e);
            log.debug("the service does not know a stored credential: {}", e.getMessage());
            return Optional.empty();
        }
        tellOfChanges(identity.host(), registration.host());
        state.joined(
                identity.registered(
                        serviceAddress(), service.admission().worker(), registration.host()));
        log.info("returned as the worker of {}", state.path());
        return Optional.of(service);
    }

    /**
     * A service of protocol 0.1 knows the credential of a worker and forbids it to register. A
     * worker that it has not confirmed still joins: the same registration gives the same worker.
     */
    private void requireUnknown(WorkerIdentity identity, ServiceFailed refusal) {
        if (!refusal.isUnauthenticated() && identity.worker() != null) {
            throw new AgentFailed(
                    "could not return: the service at %s is too old to take workers back: upgrade it"
                            .formatted(serviceAddress()),
                    refusal);
        }
    }

    private static void tellOfChanges(@Nullable HostDescription before, HostDescription now) {
        List<String> changes = before == null ? List.of() : before.changes(now);
        if (!changes.isEmpty()) {
            log.warn(
                    "the profiles and links of this worker are stale, since its host has changed:"
                            + " {}; runs that need them measure them again",
                    String.join("; ", changes));
        }
    }

    private ServiceClient joinAnew(Addresses addresses, long end) throws InterruptedException {
        Optional<String> unknown = state.identity().map(this::unknown);
        if (settings.joinToken().isBlank()) {
            throw AgentFailed.refused(
                    unknown.orElse("the registration of this agent was not completed")
                            + ": give a join token to join as a new worker",
                    null);
        }
        unknown.ifPresent(it -> log.warn("{}; joining as a new worker", it));
        WorkerIdentity joining =
                WorkerIdentity.joining(
                        serviceAddress(), unconfirmed().orElseGet(() -> Credential.random(random)));
        state.beginJoining(joining);
        Registration registration = registration(addresses, joining.credential());
        ServiceClient service = join(registration, end);
        state.joined(
                joining.registered(
                        serviceAddress(), service.admission().worker(), registration.host()));
        return service;
    }

    /** Words that the service does not know the worker of the state folder. */
    private String unknown(WorkerIdentity identity) {
        return identity.service().equals(serviceAddress())
                ? "the service does not know worker %s of the state folder %s any more, since it was removed or expelled"
                        .formatted(identity.worker(), state.path())
                : "the state folder %s has worker %s of the service at %s, which the service at %s does not know"
                        .formatted(
                                state.path(),
                                identity.worker(),
                                identity.service(),
                                serviceAddress());
    }

    /** Returns the credential of a registration whose answer may have been lost. */
    private Optional<Credential> unconfirmed() {
        return state.joining()
                .filter(it -> it.service().equals(serviceAddress()))
                .map(WorkerIdentity::credential);
    }

    private ServiceClient join(Registration registration, long end) throws InterruptedException {
        try {
            return register(settings.joinToken(), registration, end);
        } catch (ServiceFailed e) {
            throw AgentFailed.refused("could not join: " + e.getMessage(), e);
        }
    }

    /**
     * Registers.
     *
     * @throws ServiceFailed when the service does not accept the token
     */
    private ServiceClient register(String token, Registration registration, long end)
            throws InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return ServiceClient.register(
                        settings.service(), settings.timeouts().request(), token, registration);
            } catch (ServiceFailed e) {
                if (e.isRefusedToken()) {
                    throw e;
                }
                if (!e.isTemporary() || time.nanoTime() >= end) {
                    throw new AgentFailed("could not join: " + e.getMessage() + choices(e), e);
                }
                if (failures == 1) {
                    log.warn("could not join: {}; trying again", e.getMessage());
                }
                pause(failures);
            }
        }
    }

    /** Names the addresses of this host if the service refuses the one that was advertised. */
    private static String choices(ServiceFailed e) {
        List<String> own = e.isUnreachableAddress() ? HostInspector.ownAddresses() : List.of();
        return own.isEmpty() ? "" : "; this host has " + String.join(", ", own);
    }

    private URI serviceAddress() {
        return settings.service().address();
    }

    private void pause(int failures) throws InterruptedException {
        time.sleep(ExponentialBackoff.DEFAULT.after(failures).toNanos());
        if (Thread.interrupted()) {
            throw new InterruptedException("waiting for the service");
        }
    }

    /** The name, the labels or the name of the host may break the rules of a registration. */
    private Registration registration(Addresses addresses, Credential credential) {
        try {
            return new Registration(
                    settings.name(),
                    HostInspector.describe(settings.threads(), backend, settings.slowDown()),
                    addresses.cluster(),
                    settings.labelsOver(backend.labels()),
                    credential,
                    SoftwareVersion.OWN,
                    addresses.data(),
                    ProtocolVersion.OWN,
                    folders,
                    addresses.probeKey());
        } catch (IllegalArgumentException e) {
            throw new AgentFailed("could not join: " + e.getMessage(), e);
        }
    }
}
