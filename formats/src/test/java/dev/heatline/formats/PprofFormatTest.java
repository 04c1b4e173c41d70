package dev.heatline.formats;

import dev.heatline.model.Profile;
import java.util.List;

class PprofFormatTest extends FormatContract {

    @Override
    Format format() {
        return new PprofFormat();
    }

    @Override
    Profile expressible(Profile profile) {
        return Expected.EVERYTHING.of(profile);
    }

    @Override
    List<String> writtenResources(Profile profile) {
        return profile.columns().stream().map(column -> column.resource().name()).toList();
    }
}
