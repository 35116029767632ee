package dev.equipoise.app;

import dev.equipoise.app.database.EmbeddedDatabase;
import dev.equipoise.testing.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.util.FileSystemUtils;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/**
 * Provides the PostgreSQL of the tests: embedded, unless a property names an image, of which it
 * then starts a container. {@code containers/test.sh} names one.
 */
@TestConfiguration(proxyBeanMethods = false)
class TestDatabase {

    @Bean(destroyMethod = "close")
    JdbcConnectionDetails postgres() {
        String image = System.getProperty("equipoise.test.postgres");
        return image == null ? EmbeddedServer.start() : ContainerServer.start(image);
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
