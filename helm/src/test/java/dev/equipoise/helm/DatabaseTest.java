package dev.equipoise.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.fabric8.kubernetes.api.model.EnvVar;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DatabaseTest {

    private final PodTemplate bundled = Rendering.of("{}").pod("database");

    @Test
    void bundledDatabaseSharesThePasswordOfTheService() {
        SecretFile password = SecretFile.all(bundled).getFirst();

        assertThat(bundled.container().getEnv())
                .extracting(EnvVar::getName, EnvVar::getValue)
                .contains(tuple("POSTGRES_PASSWORD_FILE", password.path()));
        assertThat(SecretFile.all(Rendering.of("{}").pod("service")))
                .filteredOn(it -> it.path().endsWith("/spring.datasource.password"))
                .extracting(SecretFile::secret, SecretFile::key)
                .containsExactly(tuple(password.secret(), password.key()));
    }

    @Test
    void volumeClaimKeepsTheDataOfTheBundledDatabase() {
        assertThat(bundled.claims()).containsExactly("data");
        assertThat(bundled.container().getVolumeMounts())
                .filteredOn(mount -> mount.getName().equals("data"))
                .singleElement()
                .satisfies(
                        mount -> assertThat(mount.getMountPath()).isEqualTo("/var/lib/postgresql"));
    }

    @Test
    void externalDatabaseIsVerifiedByAMountedCertificate() {
        SecretFile certificate =
                new SecretFile("lab-database-ca", "ca.crt", "/run/secrets/database/ca.crt");
        PodTemplate service = Rendering.named("lab").pod("service");

        assertThat(SecretFile.all(service)).contains(certificate);
        assertThat(url(Rendering.named("lab")))
                .endsWith("?sslmode=verify-full&sslrootcert=" + certificate.path());
        assertThat(service.container().getVolumeMounts())
                .filteredOn(mount -> certificate.path().startsWith(mount.getMountPath() + "/"))
                .singleElement()
                .satisfies(mount -> assertThat(mount.getReadOnly()).isTrue());
    }

    @ParameterizedTest
    @CsvSource(
            textBlock =
                    """
                    ca, connectTimeout=5, ?connectTimeout=5&sslmode=verify-full&sslrootcert=/run/secrets/database/ca.crt
                    ca, sslmode=verify-ca, ?sslmode=verify-ca&sslrootcert=/run/secrets/database/ca.crt
                    '', connectTimeout=5, ?connectTimeout=5
                    '', sslmode=require&ssl=true, ?sslmode=require&ssl=true
                    '', sslmode=verify-full&sslfactory=a.B, ?sslmode=verify-full&sslfactory=a.B
                    '', '', ''
                    """)
    void parametersOverrideTheDefaultEncryption(String secret, String parameters, String end) {
        Rendering rendering =
                Rendering.of(
                        """
                        database: {host: db, existingSecret: {name: a}, caSecret: {name: '%s'}, parameters: '%s'}
                        postgresql: {bundled: false}
                        """
                                .formatted(secret, parameters));

        assertThat(url(rendering)).isEqualTo("jdbc:postgresql://db:5432/equipoise" + end);
    }

    private static String url(Rendering rendering) {
        return rendering
                .manifest("ConfigMap", "lab-equipoise-service")
                .tree()
                .at("/data/SPRING_DATASOURCE_URL")
                .asString();
    }

    @Test
    void externalDatabaseReplacesTheBundledOne() {
        assertThat(List.of(Rendering.named("lab"), Rendering.named("bucket")))
                .allMatch(rendering ->
                        rendering.manifests().stream()
                                .map(Manifest::name)
                                .noneMatch(name -> name.contains("database")));
    }
}
