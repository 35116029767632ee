package dev.equipoise.app.database;

import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import javax.sql.DataSource;
import org.hibernate.cfg.MappingSettings;
import org.hibernate.type.format.jackson.Jackson3JsonFormatMapper;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import tools.jackson.databind.json.JsonMapper;

/** Configures where the data is stored and how JSON columns are read. */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

    /** Starts the embedded PostgreSQL if {@code spring.datasource.url} names no database. */
    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(JdbcConnectionDetails.class)
    @ConditionalOnProperty(
            name = "spring.datasource.url",
            matchIfMissing = true,
            havingValue = "embedded")
    EmbeddedDatabase embeddedDatabase(
            @Value("${equipoise.data}") Path data,
            @Value("${equipoise.database.start-timeout}") Duration timeout,
            SecureRandom random) {
        return EmbeddedDatabase.start(data.resolve("postgresql"), random, timeout);
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
