package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.equipoise.app.problem.ExceptionText;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class AdmissionTest {

    private static final Admission LAB =
            new Admission(true, List.of("Lab.example", "other.example"), null, null);
    private static final Admission RESEARCHERS =
            new Admission(true, List.of(), "groups", "researchers");

    private static Admission bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("equipoise.oidc", OidcSettings.class)
                .admission();
    }

    @Test
    void newcomersAreDisabledByDefault() {
        assertThat(bound(Map.of("equipoise.oidc.issuer", "https://provider.example")).newcomers())
                .isFalse();
        assertThat(bound(Map.of("equipoise.oidc.admission.newcomers", "true")).newcomers())
                .isTrue();
    }

    @Test
    void addressOfTheLabIsAdmitted() {
        assertThat(LAB.rejection(Map.of("email", "ann@lab.example", "email_verified", true)))
                .isEmpty();
        assertThat(LAB.rejection(Map.of("email", "ann@OTHER.example", "email_verified", "true")))
                .isEmpty();
    }

    @Test
    void otherAddressIsNotAdmitted() {
        assertThat(LAB.rejection(Map.of("email", "ann@lab.example.evil", "email_verified", true)))
                .hasValueSatisfying(it ->
                        assertThat(it).contains("email addresses at lab.example or other.example"));
        assertThat(LAB.rejection(Map.of("email", "ann@evil.lab.example", "email_verified", true)))
                .isPresent();
        assertThat(LAB.rejection(Map.of())).isPresent();
    }

    @Test
    void unverifiedAddressIsNotAdmitted() {
        assertThat(LAB.rejection(Map.of("email", "ann@lab.example"))).isPresent();
        assertThat(LAB.rejection(Map.of("email", "ann@lab.example", "email_verified", false)))
                .isPresent();
    }

    @Test
    void claimWithTheValueIsAdmitted() {
        assertThat(RESEARCHERS.rejection(Map.of("groups", List.of("staff", "researchers"))))
                .isEmpty();
        assertThat(RESEARCHERS.rejection(Map.of("groups", "researchers"))).isEmpty();
        assertThat(RESEARCHERS.rejection(Map.of("groups", "all researchers"))).isPresent();
        assertThat(RESEARCHERS.rejection(Map.of("groups", List.of("staff")))).isPresent();
        assertThat(RESEARCHERS.rejection(Map.of()))
                .hasValueSatisfying(it -> assertThat(it).contains("value of the claim groups"));
    }

    @Test
    void incompleteRuleFailsTheStart() {
        Throwable noValue =
                catchThrowable(() -> bound(Map.of("equipoise.oidc.admission.claim", "groups")));
        Throwable noDomain =
                catchThrowable(() ->
                        bound(Map.of("equipoise.oidc.admission.email-domains", "ann@lab.example")));

        assertThat(ExceptionText.innermost(noValue))
                .isEqualTo(
                        "equipoise.oidc.admission.claim and .value must be set together or not at"
                                + " all, but were groups and null");
        assertThat(ExceptionText.innermost(noDomain)).endsWith("but was 'ann@lab.example'");
    }

    @Test
    void emailScopeIsRequestedForAddressRules() {
        var settings = new OidcSettings("https://x", "client", "", "name", List.of("groups"), LAB);

        assertThat(settings.allScopes()).containsExactly("email", "groups", "openid");
    }
}
