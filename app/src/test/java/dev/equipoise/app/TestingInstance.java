package dev.equipoise.app;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
     * @param token where the first of the instances writes the administrator's
     * @param settings in which it differs from the service as it is
     */
    public static TestingInstance start(
            JdbcConnectionDetails server,
            String database,
            Path token,
            Map<String, Object> settings) {
        return new TestingInstance(
                new SpringApplicationBuilder(Equipoise.class)
                        .properties(settings)
                        .run(
                                "--server.port=0",
                                "--spring.datasource.url="
                                        + server.getJdbcUrl()
                                                .replaceFirst(
                                                        "/[^/?]+(\\?.*)?$", "/" + database + "$1"),
                                "--spring.datasource.username=" + server.getUsername(),
                                "--spring.datasource.password=" + server.getPassword(),
                                "--equipoise.account.administrator-token-file=" + token),
                token);
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
