package dev.equipoise.app.webhook;

import dev.equipoise.app.webhook.AttemptOutcome.NoResponse;
import dev.equipoise.app.webhook.AttemptOutcome.Responded;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;

/*
 * HTTP clients look a name up themselves when they connect, so an address that was checked before
 * may not be the one that they use: its owner can change it in between (DNS rebinding). This sender
 * looks a name up once and connects to the very addresses that it has checked. Each request has a
 * connection of its own; no redirect is followed, and no more of an answer is read than its head.
 */

/** Sends deliveries by HTTP/1.1 to addresses that the policy allows. */
final class WebhookSender implements DisposableBean {

    /** Limit of the addresses of a host that an attempt tries. */
    private static final int MAX_ADDRESSES = 4;

    private static final Logger log = LoggerFactory.getLogger(WebhookSender.class);

    private final AddressPolicy policy;
    private final NameResolver names;
    private final SSLSocketFactory certificates;
    private final Duration timeout;
    private final ScheduledExecutorService deadlines =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().name("webhook deadlines").daemon().factory());

    /**
     * Creates a sender.
     *
     * @param certificates decides which certificates of receivers are trusted
     * @param timeout time for an attempt from connecting to the status of the answer
     */
    WebhookSender(
            AddressPolicy policy,
            NameResolver names,
            SSLSocketFactory certificates,
            Duration timeout) {
        this.policy = policy;
        this.names = names;
        this.certificates = certificates;
        this.timeout = timeout;
    }

    /** Posts a JSON body, and returns what came of it. */
    AttemptOutcome post(WebhookUrl url, Map<String, String> headers, String body) {
        List<InetAddress> addresses;
        try {
            addresses = List.of(names.resolve(url.host()));
        } catch (UnknownHostException unknown) {
            return refused(url, List.of());
        }
        List<InetAddress> allowed =
                addresses.stream().filter(policy::allows).limit(MAX_ADDRESSES).toList();
        return allowed.isEmpty()
                ? refused(url, addresses)
                : post(url, allowed, WebhookRequest.of(url, headers, body));
    }

    /**
     * Rejects a host. Owners are told neither the addresses nor whether there are any, or they
     * could ask for the names of the lab's machines.
     */
    private static NoResponse refused(WebhookUrl url, List<InetAddress> addresses) {
        log.info("a webhook may not have any of the addresses {} of {}", addresses, url.host());
        return new NoResponse(
                "%s has no public address, and none that equipoise.webhook.allowed-networks allows"
                        .formatted(url.host()));
    }

    private AttemptOutcome post(
            WebhookUrl url, List<InetAddress> addresses, WebhookRequest request) {
        try (var connection = new Connection()) {
            try {
                return new Responded(request.send(connection.open(url, addresses)));
            } catch (SSLException untrusted) {
                return connection.failed("no secure connection", untrusted.getMessage());
            } catch (IOException failure) {
                return connection.failed("no answer", failure.getMessage());
            }
        }
    }

    @Override
    public void destroy() {
        deadlines.shutdownNow();
    }

    /** Connection of one attempt, which the deadline closes. One thread uses it. */
    private final class Connection implements AutoCloseable {

        private volatile boolean isLate;

        /** Below TLS: closing it never waits. */
        private volatile Socket plain = new Socket(Proxy.NO_PROXY);

        private final Future<?> deadline =
                deadlines.schedule(this::expire, timeout.toMillis(), TimeUnit.MILLISECONDS);

        private void expire() {
            isLate = true;
            closeQuietly(plain);
        }

        /**
         * Connects to the first address that accepts a connection. Each gets the same share of the
         * time, so that one that answers nothing leaves time for the next.
         */
        Socket open(WebhookUrl url, List<InetAddress> addresses) throws IOException {
            Duration share = timeout.dividedBy(addresses.size());
            for (InetAddress address : addresses.subList(0, addresses.size() - 1)) {
                try {
                    return connect(url, address, share);
                } catch (IOException refused) {
                    replaceSocket();
                }
            }
            return connect(url, addresses.getLast(), timeout);
        }

        private void replaceSocket() throws IOException {
            closeQuietly(plain);
            plain = new Socket(Proxy.NO_PROXY);
            // The deadline may have closed the socket before this one.
            if (isLate) {
                throw new IOException("too late");
            }
        }

        private Socket connect(WebhookUrl url, InetAddress address, Duration within)
                throws IOException {
            plain.connect(
                    new InetSocketAddress(address, url.port()),
                    Math.toIntExact(Math.max(1, within.toMillis())));
            return url.isSecure() ? secure(url) : plain;
        }

        /** Checks the certificate for the name in the URL, whatever the address is. */
        private Socket secure(WebhookUrl url) throws IOException {
            SSLSocket secure =
                    (SSLSocket) certificates.createSocket(plain, url.host(), url.port(), true);
            SSLParameters parameters = secure.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            secure.setSSLParameters(parameters);
            secure.startHandshake();
            return secure;
        }

        NoResponse failed(String what, @Nullable String reason) {
            return new NoResponse(
                    isLate
                            ? "%s within %d ms".formatted(what, timeout.toMillis())
                            : "%s: %s".formatted(what, reason));
        }

        @Override
        public void close() {
            deadline.cancel(false);
            closeQuietly(plain);
        }

        private static void closeQuietly(Socket some) {
            try {
                some.close();
            } catch (IOException broken) {
                // Nothing more is sent or read.
            }
        }
    }
}
