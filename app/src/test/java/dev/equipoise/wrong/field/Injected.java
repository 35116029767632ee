package dev.equipoise.wrong.field;

import java.time.Clock;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Autowired;

class Injected {

    @Autowired @Nullable Clock clock;
}
