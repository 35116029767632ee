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
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.test.web.servlet.client.RestTestClient;
import tools.jackson.databind.json.JsonMapper;

/** An instance of the service by itself, or beside others with which it shares a database. */
public final class TestingInstance implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final Path token;
    private final Runnable afterwards;
    private final TestingClient nobody;

    private TestingInstance(
            ConfigurableApplicationContext context, Path token, Runnable afterwards) {
        this.context = context;
        this.token = token;
        this.afterwards = afterwards;
        this.nobody = nobodyAt(port());
    }

    /**
     * Starts one on a free port.
     *
     * @param server where the database is
     * @param database its name
     * @param token file where the first of the instances writes the administrator's token; the
     *     instances keep their data in the same folder
     * @param settings that replace those of the service
     * @param more configurations besides that of the service
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

    /** Starts one on a database that nobody shares, and that goes with it. */
    public static TestingInstance alone(
            JdbcConnectionDetails server, Path folder, Map<String, Object> settings) {
        return alone(server, folder, settings, _ -> {});
    }

    /**
     * Starts one on a database that nobody shares, and that goes with it.
     *
     * @param folder has its checkpoints and the administrator's token
     * @param opened hears its address in the moment in which its port is open
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
            opened.accept(address(event.getWebServer().getPort()));
        }
    }

    private static String address(int port) {
        return "http://127.0.0.1:" + port;
    }

    /** Command-line arguments, because application.yaml overrides defaults of the builder. */
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

    /** Of another database of the same server. */
    static String url(JdbcConnectionDetails server, String database) {
        return server.getJdbcUrl().replaceFirst("/[^/?]+(\\?.*)?$", "/" + database + "$1");
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Where it answers. */
    public String address() {
        return address(port());
    }

    int port() {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    /** Nobody, by the port for management where that is another. */
    public TestingClient management() {
        return nobodyAt(
                context.getEnvironment()
                        .getRequiredProperty("local.management.port", Integer.class));
    }

    private TestingClient nobodyAt(int port) {
        return new TestingClient(
                RestTestClient.bindToServer().baseUrl(address(port)).build(),
                bean(JsonMapper.class),
                null);
    }

    public TestingClient client(@Nullable String credential) {
        return nobody.with(credential);
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
