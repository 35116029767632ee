package dev.equipoise.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.web.servlet.client.RestTestClient;
import tools.jackson.databind.json.JsonMapper;

/** An instance of the service with a database of its own, or beside others on one database. */
public final class TestingInstance implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final Path token;
    private final Runnable afterwards;
    private final TestingClient anonymous;

    private TestingInstance(
            ConfigurableApplicationContext context, Path token, Runnable afterwards) {
        this.context = context;
        this.token = token;
        this.afterwards = afterwards;
        this.anonymous = anonymousAt(address());
    }

    /**
     * Starts an instance on a free port.
     *
     * @param server of the database
     * @param database its name
     * @param token file to which the first instance writes the administrator's token; the instances
     *     store their data in the same folder
     * @param settings override those of the service
     * @param more configuration classes besides that of the service
     */
    public static TestingInstance start(
            JdbcConnectionDetails server,
            String database,
            Path token,
            Map<String, Object> settings,
            Class<?>... more) {
        return new TestingInstance(
                run(arguments(server, database, token, settings), _ -> {}, more), token, () -> {});
    }

    /** Starts an instance with a database of its own, which is dropped when it closes. */
    public static TestingInstance alone(
            JdbcConnectionDetails server, Path folder, Map<String, Object> settings) {
        return alone(server, folder, settings, _ -> {});
    }

    /**
     * Starts an instance with a database of its own, which is dropped when it closes.
     *
     * @param folder for its checkpoints and the administrator's token
     * @param opened receives the address as soon as the port is open
     */
    public static TestingInstance alone(
            JdbcConnectionDetails server,
            Path folder,
            Map<String, Object> settings,
            Consumer<String> opened) {
        String database = "alone_" + UUID.randomUUID().toString().replace("-", "");
        JdbcClient outside = outside(server);
        Runnable drop =
                () -> outside.sql("drop database %s with (force)".formatted(database)).update();
        Path token = folder.resolve("token");
        Map<String, Object> all = new HashMap<>(settings);
        all.put("equipoise.checkpoint.folder", folder);
        outside.sql("create database " + database).update();
        try {
            return new TestingInstance(
                    run(arguments(server, database, token, all), opened), token, drop);
        } catch (RuntimeException | Error failure) {
            drop.run();
            throw failure;
        }
    }

    private static JdbcClient outside(JdbcConnectionDetails server) {
        var source = new DriverManagerDataSource(server.getJdbcUrl());
        source.setUsername(server.getUsername());
        source.setPassword(server.getPassword());
        return JdbcClient.create(source);
    }

    private static ConfigurableApplicationContext run(
            String[] arguments, Consumer<String> opened, Class<?>... more) {
        return new SpringApplicationBuilder(Equipoise.class)
                .sources(more)
                .listeners(new Opening(opened))
                .run(arguments);
    }

    private record Opening(Consumer<String> opened)
            implements ApplicationListener<WebServerInitializedEvent> {

        @Override
        public void onApplicationEvent(WebServerInitializedEvent event) {
            opened.accept(
                    address(
                            event.getApplicationContext().getEnvironment(),
                            event.getWebServer().getPort()));
        }
    }

    private static String address(Environment settings, int port) {
        String scheme = settings.containsProperty("server.ssl.bundle") ? "https" : "http";
        String path = settings.getProperty("server.servlet.context-path", "");
        return "%s://127.0.0.1:%d%s".formatted(scheme, port, path.replaceFirst("/$", ""));
    }

    /** Returns command-line arguments, since application.yaml overrides the builder's defaults. */
    private static String[] arguments(
            JdbcConnectionDetails server,
            String database,
            Path token,
            Map<String, Object> settings) {
        Map<String, Object> all = new HashMap<>();
        all.put("server.port", 0);
        all.put("spring.datasource.url", url(server, database));
        all.put("spring.datasource.username", server.getUsername());
        all.put("spring.datasource.password", server.getPassword());
        all.put("equipoise.account.administrator-token-file", token);
        all.put("equipoise.data", token.resolveSibling("data"));
        all.putAll(settings);
        return all.entrySet().stream()
                .map(it -> "--%s=%s".formatted(it.getKey(), it.getValue()))
                .toArray(String[]::new);
    }

    /** Returns the URL of another database on the same server. */
    public static String url(JdbcConnectionDetails server, String database) {
        return server.getJdbcUrl().replaceFirst("/[^/?]+(\\?.*)?$", "/" + database + "$1");
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Returns the base URL of the service. */
    public String address() {
        return address(context.getEnvironment(), port());
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** Returns a client without a token at the management port. */
    public TestingClient management() {
        return anonymousAt(
                "http://127.0.0.1:"
                        + context.getEnvironment().getRequiredProperty("local.management.port"));
    }

    private TestingClient anonymousAt(String address) {
        return new TestingClient(
                RestTestClient.bindToServer().baseUrl(address).build(),
                bean(JsonMapper.class),
                null);
    }

    public TestingClient client(@Nullable String credential) {
        return anonymous.with(credential);
    }

    public TestingClient administrator() {
        try {
            return client(Files.readString(token).strip());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Override
    public void close() {
        context.close();
        afterwards.run();
    }
}
