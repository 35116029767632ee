package dev.equipoise.app.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import dev.equipoise.app.Answer;
import dev.equipoise.app.RunningService;
import dev.equipoise.app.TestingLab;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.http.HttpHeaders;

@RunningService
class DefinitionSchemaIT {

    private static final String PATH = "/schema/definition";

    private final TestingLab lab;

    DefinitionSchemaIT(@Autowired TestingLab lab) {
        this.lab = lab;
    }

    @Test
    void anybodyReadsTheSchemaOnceForEachVersionOfIt() {
        Answer first = lab.nobody().get(PATH);
        String tag = first.headers().getFirst(HttpHeaders.ETAG);

        assertThat(first.expect(200).toString())
                .isEqualTo(new DefinitionSchema().tree().toString());
        assertThat(tag).matches("\"[0-9a-f]{32}\"");
        Answer again =
                lab.nobody().withHeader(HttpHeaders.IF_NONE_MATCH, String.valueOf(tag)).get(PATH);
        assertThat(again.status()).isEqualTo(304);
        assertThat(again.headers().getFirst(HttpHeaders.ETAG)).isEqualTo(tag);
        Answer other = lab.nobody().withHeader(HttpHeaders.IF_NONE_MATCH, "\"other\"").get(PATH);
        other.expect(200);
    }
}
