package dev.equipoise.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.equipoise.app.run.Placements;
import dev.equipoise.protocol.Outcome;
import dev.equipoise.protocol.Registration;
import dev.equipoise.protocol.Report;
import dev.equipoise.protocol.RunId;
import dev.equipoise.protocol.WorkerId;
import dev.equipoise.testing.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests that hostile callers cannot keep an honest agent from being answered. */
@RunningService
@Timeout(Patience.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileCallersIT {

    private static final int CONNECTIONS = 140;
    private static final int STREAMS = 8;

    /**
     * Shorter timeouts than the defaults of half a minute, to keep the test fast, but longer than a
     * busy machine keeps a thread waiting.
     */
    private static final Map<String, Object> SETTINGS =
            Map.ofEntries(
                    Map.entry("server.tomcat.max-connections", CONNECTIONS),
                    Map.entry("server.tomcat.connection-timeout", "4s"),
                    Map.entry("equipoise.body.patience", "3s"),
                    Map.entry("equipoise.rate.agent.burst", 50),
                    Map.entry("equipoise.rate.agent.per-second", 5),
                    Map.entry("equipoise.streams.heartbeat", "400ms"),
                    Map.entry("equipoise.streams.per-caller", STREAMS),
                    Map.entry("logging.level.dev.equipoise", "error"));

    @TempDir private static Path folder;

    private final JdbcConnectionDetails server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService drip = Executors.newSingleThreadScheduledExecutor();
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private @Nullable TestingInstance started;
    private @Nullable TestingAgent honest;

    HostileCallersIT(@Autowired JdbcConnectionDetails server) {
        this.server = server;
    }

    @BeforeAll
    void start() {
        started = TestingInstance.alone(server, folder, SETTINGS);
    }

    /** Joins an agent for each test, since the rate limit of an agent suffices for one test. */
    @BeforeEach
    void joinHonestAgent() {
        honest = join("honest");
    }

    @AfterEach
    void hangUp() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    @AfterAll
    void stop() throws InterruptedException {
        drip.shutdownNow();
        threads.shutdownNow();
        try {
            assertThat(threads.awaitTermination(Patience.SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            instance().close();
        }
    }

    private TestingInstance instance() {
        return Objects.requireNonNull(started);
    }

    private TestingAgent join(String name) {
        String token =
                instance()
                        .administrator()
                        .post("/join-tokens", Map.of())
                        .expect(201)
                        .path("token")
                        .stringValue();
        Registration registration = TestingLab.registration(name);
        JsonNode admission = instance().client(token).post("/agents", registration).expect(201);
        return new TestingAgent(
                WorkerId.of(UUID.fromString(admission.path("worker").stringValue())),
                registration.clusterAddress(),
                instance().client(registration.credential().text()),
                instance().bean(JsonMapper.class));
    }

    /** Sends heartbeats faster than any agent, each of which must be answered. */
    private void requireHonestAgentAnswered() {
        TestingAgent agent = Objects.requireNonNull(honest);
        for (int beat = 0; beat < 20; beat++) {
            agent.beat(List.of(agent)).expect(200);
        }
    }

    /** Opens a connection from an address that the service sees as another machine. */
    private Socket connect(int receiveBufferBytes) throws IOException {
        return connect("127.0.0.2", receiveBufferBytes);
    }

    private Socket connect(String address, int receiveBufferBytes) throws IOException {
        Socket socket = new Socket();
        sockets.add(socket);
        socket.setReceiveBufferSize(receiveBufferBytes);
        socket.bind(new InetSocketAddress(InetAddress.getByName(address), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), instance().port()));
        socket.setSoTimeout((int) Patience.PATIENCE.toMillis());
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private static BufferedReader reader(Socket socket) throws IOException {
        return new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Sends one letter after the other, each before a timeout for silence. */
    private void sendSlowly(Socket socket) {
        var _ =
                drip.scheduleAtFixedRate(
                        () -> {
                            try {
                                send(socket, "x");
                            } catch (IOException gone) {
                                throw new UncheckedIOException(
                                        "the service has closed the connection", gone);
                            }
                        },
                        0,
                        200,
                        TimeUnit.MILLISECONDS);
    }

    private static boolean isClosed(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (IOException reset) {
            return true;
        }
    }

    @Test
    void slowRequestsGetOnlyTheirShareOfConnections() throws IOException {
        for (int i = 0; i < CONNECTIONS + 20; i++) {
            Socket socket = connect(1 << 16);
            socket.setSoTimeout(1);
            send(socket, "GET /api/v1/me HTTP/1.1\r\nX-");
            sendSlowly(socket);
        }

        requireHonestAgentAnswered();
        await().until(() ->
                sockets.stream().filter(it -> !isClosed(it)).count() <= CONNECTIONS / 2 + 1);
        requireHonestAgentAnswered();
        assertThat(sockets)
                .as("connections within the share stay open")
                .anyMatch(it -> !isClosed(it));
    }

    /** Each network takes a part of what the ones before it have left. */
    @Test
    void severalNetworksLeaveConnectionsForOthers() throws IOException {
        for (String address : List.of("127.0.0.2", "127.0.0.3", "127.0.0.4")) {
            for (int i = 0; i < CONNECTIONS; i++) {
                Socket socket = connect(address, 1 << 16);
                try {
                    send(socket, "GET /api/v1/me HTTP/1.1\r\nX-");
                } catch (SocketException tooMany) {
                    // The service has closed the connection.
                }
            }
        }

        requireHonestAgentAnswered();
        join("another").beat(List.of()).expect(200);
    }

    @Test
    void incompleteRequestsAreDisconnected() throws IOException {
        for (int i = 0; i < 10; i++) {
            send(connect(1 << 16), "GET /api/v1/me HTTP/1.1\r\nX-");
        }

        assertThat(sockets).allMatch(HostileCallersIT::isClosed);
    }

    @Test
    void slowBodyIsRejected() throws IOException {
        TestingAgent agent = join("trickler");
        Socket socket = connect(1 << 16);
        send(
                socket,
                """
                POST /api/v1/agents/%s/heartbeat HTTP/1.1\r
                Host: lab\r
                Authorization: Bearer %s\r
                Content-Type: application/json\r
                Content-Length: 100000\r
                \r
                {"clusterAddress": "\
                """
                        .formatted(agent.id(), agent.client().bearer()));
        sendSlowly(socket);

        BufferedReader response = reader(socket);
        assertThat(response.readLine()).startsWith("HTTP/1.1 408");
        assertThat(rest(response)).contains("\"code\":\"body-too-slow\"");
        agent.beat(List.of(agent)).expect(200);
    }

    /**
     * The container notes this timeout as its own failure before the code that reads the body knows
     * of it: two controllers, and the filter of requests with a key.
     */
    @Test
    void silentBodyIsRejectedWithoutALoggedError() throws IOException {
        TestingAgent agent = join("silent");
        String administrator = instance().administrator().bearer();
        UUID run = run();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        root.addAppender(lines);
        try {
            List<Socket> silent =
                    List.of(
                            sendBeginning(
                                    "POST /api/v1/agents/%s/heartbeat".formatted(agent.id()),
                                    agent.client().bearer(),
                                    "Accept: */*"),
                            sendBeginning(
                                    "PATCH /api/v1/runs/" + run, administrator, "Accept: */*"),
                            sendBeginning(
                                    "POST /api/v1/projects",
                                    administrator,
                                    "Idempotency-Key: silent"));
            for (Socket socket : silent) {
                BufferedReader response = reader(socket);
                assertThat(response.readLine()).startsWith("HTTP/1.1 408");
                assertThat(rest(response)).contains("\"code\":\"body-too-slow\"");
            }
        } finally {
            root.detachAppender(lines);
        }
        assertThat(lines.list)
                .filteredOn(it -> it.getLevel().isGreaterOrEqual(Level.ERROR))
                .extracting(ILoggingEvent::getFormattedMessage)
                .isEmpty();
        agent.beat(List.of(agent)).expect(200);
    }

    /** Sends a request up to the first letter of its body, and nothing more. */
    private Socket sendBeginning(String call, String token, String header) throws IOException {
        Socket socket = connect(1 << 16);
        send(
                socket,
                """
                %s HTTP/1.1\r
                Host: lab\r
                Authorization: Bearer %s\r
                Content-Type: application/json\r
                Content-Length: 100\r
                %s\r
                \r
                {\
                """
                        .formatted(call, token, header));
        return socket;
    }

    /** Reads to the end of the connection, which is a close or a reset. */
    private static String rest(BufferedReader reader) {
        StringBuilder rest = new StringBuilder();
        try {
            for (int next = reader.read(); next >= 0; next = reader.read()) {
                rest.append((char) next);
            }
        } catch (SocketTimeoutException open) {
            throw new AssertionError("the connection is still open", open);
        } catch (IOException reset) {
            rest.append(" and a reset");
        }
        return rest.toString();
    }

    /** Bundles are read a few at a time, so that endless uploads could exclude others. */
    @Test
    void slowUploadsDelayOnlyTheirOwnProject() throws IOException {
        String slow = project();
        for (int i = 0; i < 10; i++) {
            uploadSlowly(slow);
        }
        await().untilAsserted(() -> {
            uploadSlowly(slow);
            upload(slow).problem(503, "busy");
        });

        upload(project()).problem(400, "invalid-bundle");

        await().untilAsserted(() -> upload(slow).problem(400, "invalid-bundle"));
    }

    private void uploadSlowly(String project) throws IOException {
        Socket socket = connect(1 << 16);
        send(
                socket,
                """
                POST /api/v1/projects/%s/bundles HTTP/1.1\r
                Host: lab\r
                Authorization: Bearer %s\r
                Content-Type: application/zip\r
                Content-Length: 100000\r
                \r
                PK\
                """
                        .formatted(project, instance().administrator().bearer()));
        sendSlowly(socket);
    }

    private Answer upload(String project) {
        return instance()
                .administrator()
                .post(
                        "/projects/" + project + "/bundles",
                        new byte[] {'P', 'K'},
                        MediaType.valueOf("application/zip"));
    }

    /** A tree that grew while its body arrived would take many times these bytes, and as long. */
    @Test
    void heldBackBodiesOfOneUserDelayNobodyElse() throws IOException {
        byte[] most =
                ("[{}" + ",{}".repeat((1 << 20) / 3 - 10)).getBytes(StandardCharsets.US_ASCII);
        String token = viewer();
        List<Future<String>> answers = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            Socket socket = connect(1 << 16);
            send(
                    socket,
                    """
                    POST /api/v1/experiments/validate HTTP/1.1\r
                    Host: lab\r
                    Authorization: Bearer %s\r
                    Content-Type: application/json\r
                    Content-Length: %d\r
                    \r
                    """
                            .formatted(token, most.length + 10));
            answers.add(threads.submit(() -> statusOf(socket, most)));
        }
        await().until(() -> answers.stream().filter(Future::isDone).count() > 30);

        requireHonestAgentAnswered();
        instance()
                .administrator()
                .post("/experiments/validate", TestingHistory.DEFINITION)
                .expect(200);
        List<String> statuses = new ArrayList<>();
        for (Future<String> answer : answers) {
            assertThat(answer).succeedsWithin(Patience.PATIENCE);
            statuses.add(answer.resultNow());
        }
        assertThat(statuses).contains("HTTP/1.1 503").isSubsetOf("HTTP/1.1 503", "HTTP/1.1 408");
    }

    /** Sends a part of a body, and returns the beginning of the response. */
    private static String statusOf(Socket socket, byte[] part) throws IOException {
        socket.getOutputStream().write(part);
        return String.valueOf(reader(socket).readLine()).substring(0, "HTTP/1.1 000".length());
    }

    /** Returns the token of a caller other than the administrator. */
    private String viewer() {
        return instance()
                .administrator()
                .post("/tokens", Map.of("name", "viewer", "project", project(), "role", "viewer"))
                .expect(201)
                .path("token")
                .stringValue();
    }

    @Test
    void onlyTheFloodingCallerIsRateLimited() {
        TestingAgent agent = join("impatient");
        AtomicInteger rejections = new AtomicInteger();
        List<Supplier<Answer>> calls =
                List.of(
                        () -> agent.beat(List.of(agent)),
                        () -> agent.lease(0),
                        () ->
                                agent.client()
                                        .post(
                                                "/assignments/%s/events"
                                                        .formatted(UUID.randomUUID()),
                                                new Report(1, 1, List.of(new Outcome.Finished()))));
        AtomicBoolean stopped = new AtomicBoolean();
        List<Future<?>> callers = new ArrayList<>();
        for (Supplier<Answer> call : calls) {
            callers.add(
                    threads.submit(() -> {
                        while (!stopped.get()) {
                            if (call.get().status() == 429) {
                                rejections.incrementAndGet();
                            }
                        }
                    }));
        }
        try {
            await().until(() -> rejections.get() > 20);

            requireHonestAgentAnswered();
            instance().administrator().get("/workers").expect(200);
            instance().administrator().get("/runs").expect(200);
        } finally {
            stopped.set(true);
        }
        assertThat(callers).allSatisfy(it -> assertThat(it).succeedsWithin(Patience.PATIENCE));
    }

    private String project() {
        return instance()
                .administrator()
                .post("/projects", Map.of("name", "project " + UUID.randomUUID()))
                .expect(201)
                .path("id")
                .stringValue();
    }

    /** Queues a run that waits for more workers than there are. */
    private UUID run() {
        String experiment =
                instance()
                        .administrator()
                        .post(
                                "/projects/%s/experiments".formatted(project()),
                                TestingHistory.DEFINITION)
                        .expect(201)
                        .path("id")
                        .stringValue();
        return UUID.fromString(
                instance()
                        .administrator()
                        .post("/experiments/" + experiment + "/runs")
                        .expect(202)
                        .at("/items/0/id")
                        .stringValue());
    }

    private static final int EVENTS = 5_000;

    /** Smaller than the window of the feed: a reader that has caught up misses no event. */
    private static final int BATCH = 500;

    /**
     * Writes events under the lock of their run, as the service does: else one of the scheduler
     * could get a greater id and be committed first, and the feed would pass over these.
     */
    private void addEvents(UUID run, int first) {
        instance()
                .bean(TransactionTemplate.class)
                .executeWithoutResult(_ -> {
                    instance().bean(Placements.class).hold(RunId.of(run));
                    insertEvents(run, first);
                });
    }

    private void insertEvents(UUID run, int first) {
        instance()
                .bean(JdbcClient.class)
                .sql(
                        """
                        insert into run_event (run_id, at, type, fleeting, body)
                        select :run, now(), 'note', false,
                               '{"type":"note","text":"' || repeat('x', 2000) || '","rank":'
                               || number || '}'
                        from generate_series(:first, :last) as number
                        """)
                .param("run", run)
                .param("first", first)
                .param("last", first + BATCH - 1)
                .update();
    }

    /**
     * Requires that all streams of the slow readers have been cut off, so that as many new ones
     * open.
     */
    private void assertFree(UUID run, int streams) throws IOException {
        List<Socket> all = new ArrayList<>();
        try {
            for (int i = 0; i < streams; i++) {
                Socket another = follow(run, 0, 1 << 16);
                all.add(another);
                assertThat(reader(another).readLine()).contains("200");
            }
        } finally {
            for (Socket another : all) {
                another.close();
            }
        }
    }

    /** Opens an event stream by HTTP/1.0, so that the bytes contain nothing but the events. */
    private Socket follow(UUID run, long after, int receiveBufferBytes) throws IOException {
        Socket socket = connect(receiveBufferBytes);
        send(
                socket,
                """
                GET /api/v1/runs/%s/events HTTP/1.0\r
                Host: lab\r
                Authorization: Bearer %s\r
                Accept: text/event-stream\r
                Last-Event-ID: %d\r
                \r
                """
                        .formatted(run, instance().administrator().bearer(), after));
        return socket;
    }

    /** Opens a stream for a fast reader once the service has freed the slots of closed streams. */
    private BufferedReader openStream(UUID run, long after) {
        return await().until(() -> tryOpenStream(run, after), Optional::isPresent).orElseThrow();
    }

    private Optional<BufferedReader> tryOpenStream(UUID run, long after) throws IOException {
        BufferedReader reader = reader(follow(run, after, 1 << 20));
        return String.valueOf(reader.readLine()).contains(" 200")
                ? Optional.of(reader)
                : Optional.empty();
    }

    /**
     * Returns the ids of complete notes, up to a number, to the end of the stream, or to the
     * timeout of the test: heartbeats keep a read from its own timeout.
     */
    private static List<Long> notes(BufferedReader reader, int limit) throws IOException {
        List<Long> notes = new ArrayList<>();
        long id = 0;
        boolean isNote = false;
        try {
            for (String line = reader.readLine();
                    line != null && notes.size() < limit;
                    line = reader.readLine()) {
                if (Thread.interrupted()) {
                    throw new InterruptedIOException(
                            "the stream has %d of %d notes".formatted(notes.size(), limit));
                }
                if (line.startsWith("id: ")) {
                    id = Long.parseLong(line.substring(4));
                } else if (line.startsWith("event: ")) {
                    isNote = line.endsWith("note");
                } else if (line.isEmpty() && isNote) {
                    notes.add(id);
                    isNote = false;
                }
                if (notes.size() == limit) {
                    break;
                }
            }
        } catch (SocketException cutOff) {
            // The complete events count.
        }
        return notes;
    }

    private List<Long> written(UUID run) {
        return instance()
                .bean(JdbcClient.class)
                .sql("select id from run_event where run_id = :run and type = 'note' order by id")
                .param("run", run)
                .query((row, _) -> row.getLong(1))
                .list();
    }

    @Test
    void slowReaderIsCutOffAndMissesNoEvents() throws Exception {
        UUID run = run();
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < STREAMS - 1; i++) {
            slow.add(follow(run, 0, 4096));
        }
        BufferedReader fast = reader(follow(run, 0, 1 << 20));
        List<Long> received = new ArrayList<>();

        for (int first = 0; first < EVENTS; first += BATCH) {
            addEvents(run, first);
            received.addAll(notes(fast, BATCH));
        }

        List<Long> all = written(run);
        assertThat(all).hasSize(EVENTS);
        assertThat(received).as("events of the fast reader").isEqualTo(all);
        await().untilAsserted(() -> assertFree(run, slow.size()));
        List<Long> first = notes(reader(slow.getFirst()), EVENTS);
        assertThat(first).hasSizeBetween(1, EVENTS - 1);
        List<Long> later = notes(openStream(run, first.getLast()), EVENTS - first.size());
        assertThat(Stream.concat(first.stream(), later.stream()).toList()).isEqualTo(all);
    }
}
