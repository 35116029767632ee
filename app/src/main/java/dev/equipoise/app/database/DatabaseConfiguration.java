package dev.equipoise.app.database;

import java.nio.file.Path;
import java.security.SecureRandom;
import javax.sql.DataSource;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.type.format.jackson.Jackson3JsonFormatMapper;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Configures where the data is stored and how JSON columns are read. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DatabaseSettings.class)
class DatabaseConfiguration {

    private static final Logger log = LoggerFactory.getLogger(DatabaseConfiguration.class);

    /** The exit status of a service whose embedded database cannot be started again. */
    private static final int DATABASE_LOST = 1;

    /** Starts the embedded PostgreSQL if {@code spring.datasource.url} names no database. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(JdbcConnectionDetails.class)
    @ConditionalOnProperty(
            name = "spring.datasource.url",
            matchIfMissing = true,
            havingValue = "embedded")
    EmbeddedDatabase embeddedDatabase(
            @Value("${equipoise.data}") Path data, DatabaseSettings settings, SecureRandom random) {
        EmbeddedDatabase database =
                EmbeddedDatabase.start(data.resolve("postgresql"), random, settings.startTimeout());
        database.watch(settings.restarts(), DatabaseConfiguration::endService);
        return database;
    }

    /**
     * Ends the process in another thread, since the exit waits for the beans to close, and so for
     * the watch that calls this.
     */
    private static void endService(String reason) {
        log.error(
                "the service ends with status {}: {}; start it again when this is mended",
                DATABASE_LOST,
                reason);
        Thread.startVirtualThread(() -> System.exit(DATABASE_LOST));
    }

    @Bean
    DatabaseDiskHealth databaseDiskHealthIndicator() {
        return new DatabaseDiskHealth();
    }

    @Bean
    DatabaseHealth databaseHealthIndicator(DataSource database) {
        return new DatabaseHealth(database, System::nanoTime);
    }

    /** Makes Hibernate use Jackson 3; its default, Jackson 2, does not know our types. */
    @Bean
    HibernatePropertiesCustomizer jackson3ForJsonColumns(JsonMapper json) {
        return properties ->
                properties.put(
                        MappingSettings.JSON_FORMAT_MAPPER, new Jackson3JsonFormatMapper(json));
    }
}
