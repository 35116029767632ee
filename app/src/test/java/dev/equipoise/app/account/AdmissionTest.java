package dev.equipoise.app.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.equipoise.app.problem.Reason;
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
    void nobodyIsANewcomerUnlessItIsTold() {
        assertThat(bound(Map.of("equipoise.oidc.issuer", "https://provider.example")).newcomers())
                .isFalse();
        assertThat(bound(Map.of("equipoise.oidc.admission.newcomers", "true")).newcomers())
                .isTrue();
    }

    @Test
    void anAddressOfTheLabLetsIn() {
        assertThat(LAB.refusal(Map.of("email", "ann@lab.example", "email_verified", true)))
                .isEmpty();
        assertThat(LAB.refusal(Map.of("email", "ann@OTHER.example", "email_verified", "true")))
                .isEmpty();
    }

    @Test
    void anotherAddressLetsNobodyIn() {
        assertThat(LAB.refusal(Map.of("email", "ann@lab.example.evil", "email_verified", true)))
                .hasValueSatisfying(it ->
                        assertThat(it).contains("an address of lab.example or other.example"));
        assertThat(LAB.refusal(Map.of("email", "ann@evil.lab.example", "email_verified", true)))
                .isPresent();
        assertThat(LAB.refusal(Map.of())).isPresent();
    }

    @Test
    void anAddressThatNobodyHasVerifiedLetsNobodyIn() {
        assertThat(LAB.refusal(Map.of("email", "ann@lab.example"))).isPresent();
        assertThat(LAB.refusal(Map.of("email", "ann@lab.example", "email_verified", false)))
                .isPresent();
    }

    @Test
    void aClaimLetsInWhereItIsOrHasTheValue() {
        assertThat(RESEARCHERS.refusal(Map.of("groups", List.of("staff", "researchers"))))
                .isEmpty();
        assertThat(RESEARCHERS.refusal(Map.of("groups", "researchers"))).isEmpty();
        assertThat(RESEARCHERS.refusal(Map.of("groups", "all researchers"))).isPresent();
        assertThat(RESEARCHERS.refusal(Map.of("groups", List.of("staff")))).isPresent();
        assertThat(RESEARCHERS.refusal(Map.of()))
                .hasValueSatisfying(it -> assertThat(it).contains("in the claim groups"));
    }

    @Test
    void halfARuleIsRefusedAtTheStart() {
        Throwable noValue =
                catchThrowable(() -> bound(Map.of("equipoise.oidc.admission.claim", "groups")));
        Throwable noDomain =
                catchThrowable(() ->
                        bound(Map.of("equipoise.oidc.admission.email-domains", "ann@lab.example")));

        assertThat(Reason.innermost(noValue))
                .isEqualTo(
                        "equipoise.oidc.admission.claim and .value must be told together or not at"
                                + " all, but were groups and null");
        assertThat(Reason.innermost(noDomain)).endsWith("but was 'ann@lab.example'");
    }

    @Test
    void theProviderIsAskedForAddressesWhereTheyCount() {
        var settings = new OidcSettings("https://x", "client", "", "name", List.of("groups"), LAB);

        assertThat(settings.allScopes()).containsExactly("email", "groups", "openid");
    }
}
