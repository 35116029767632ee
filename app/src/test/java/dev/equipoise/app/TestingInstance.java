package dev.equipoise.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.web.servlet.client.RestTestClient;
import tools.jackson.databind.json.JsonMapper;

/** An instance of the service by itself, on a database that it shares with others. */
public final class TestingInstance implements AutoCloseable {

    private final ConfigurableApplicationContext context;
    private final Path token;
    private final TestingClient nobody;

    private TestingInstance(ConfigurableApplicationContext context, Path token) {
        this.context = context;
        this.token = token;
        this.nobody =
                new TestingClient(
                        RestTestClient.bindToServer()
                                .baseUrl(
                                        "http://127.0.0.1:"
                                                + context.getEnvironment()
                                                        .getRequiredProperty("local.server.port"))
                                .build(),
                        bean(JsonMapper.class),
                        null);
    }

    /**
     * Starts one on a free port.
     *
     * @param server where the database is
     * @param database its name
     * @param token file where the first of the instances writes the administrator's token; the
     *     instances keep their data in the same folder
     * @param settings that replace those of the service
     */
    public static TestingInstance start(
            JdbcConnectionDetails server,
            String database,
            Path token,
            Map<String, Object> settings) {
        return new TestingInstance(
                new SpringApplicationBuilder(Equipoise.class)
                        .run(arguments(server, database, token, settings)),
                token);
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

    private static String url(JdbcConnectionDetails server, String database) {
        return server.getJdbcUrl().replaceFirst("/[^/?]+(\\?.*)?$", "/" + database + "$1");
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
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
    }
}
