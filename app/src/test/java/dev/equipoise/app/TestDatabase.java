package dev.equipoise.app;

import dev.equipoise.app.database.EmbeddedDatabase;
import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.util.FileSystemUtils;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.ContainerFetchException;
import org.testcontainers.containers.ContainerLaunchException;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Provides the PostgreSQL of the tests: in a container if a Docker engine answers, and otherwise
 * embedded. If a property names the image, as {@code ./equipoise test} does, the container is
 * required.
 */
@TestConfiguration(proxyBeanMethods = false)
class TestDatabase {

    private static final Logger log = LoggerFactory.getLogger(TestDatabase.class);
    private static final String PUBLIC_IMAGE = "postgres:18.6-alpine";
    private static final String NAMED_IMAGE = System.getProperty("equipoise.test.postgres");

    @Bean(destroyMethod = "close")
    JdbcConnectionDetails postgres() {
        return NAMED_IMAGE == null ? containerOrEmbedded() : ContainerServer.start(NAMED_IMAGE);
    }

    private static JdbcConnectionDetails containerOrEmbedded() {
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            log.info("no Docker engine answers: the tests run on the embedded PostgreSQL");
            return EmbeddedServer.start();
        }
        try {
            return ContainerServer.start(PUBLIC_IMAGE);
        } catch (ContainerFetchException | ContainerLaunchException failure) {
            log.warn(
                    "no container of {} starts; the tests run on the embedded PostgreSQL: {}",
                    PUBLIC_IMAGE,
                    failure.getMessage());
            return EmbeddedServer.start();
        }
    }

    private record ContainerServer(PostgreSQLContainer container)
            implements JdbcConnectionDetails, AutoCloseable {

        @SuppressWarnings("resource") // closed with the context
        static ContainerServer start(String image) {
            var container =
                    new PostgreSQLContainer(
                            DockerImageName.parse(image).asCompatibleSubstituteFor("postgres"));
            container.start();
            return new ContainerServer(container);
        }

        @Override
        public String getJdbcUrl() {
            return container.getJdbcUrl();
        }

        @Override
        public String getUsername() {
            return container.getUsername();
        }

        @Override
        public String getPassword() {
            return container.getPassword();
        }

        @Override
        public void close() {
            container.stop();
        }
    }

    /** The embedded PostgreSQL, on data that are deleted when it closes. */
    private record EmbeddedServer(EmbeddedDatabase database, Path folder)
            implements JdbcConnectionDetails, AutoCloseable {

        static EmbeddedServer start() {
            try {
                Path folder = Files.createTempDirectory("equipoise-it");
                return new EmbeddedServer(
                        EmbeddedDatabase.start(folder, new SecureRandom(), Patience.PATIENCE),
                        folder);
            } catch (IOException failure) {
                throw new UncheckedIOException(failure);
            }
        }

        @Override
        public String getJdbcUrl() {
            return database.getJdbcUrl();
        }

        @Override
        public String getUsername() {
            return database.getUsername();
        }

        @Override
        public String getPassword() {
            return database.getPassword();
        }

        @Override
        public void close() throws IOException {
            database.close();
            FileSystemUtils.deleteRecursively(folder);
        }
    }
}
