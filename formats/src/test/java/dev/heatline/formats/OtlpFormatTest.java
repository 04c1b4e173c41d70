package dev.heatline.formats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.TextFormat;
import dev.heatline.model.Consumer;
import dev.heatline.model.FrameKind;
import dev.heatline.model.Profile;
import dev.heatline.model.Provenance;
import dev.heatline.model.Resource;
import dev.heatline.model.Site;
import io.opentelemetry.proto.profiles.v1development.Line;
import io.opentelemetry.proto.profiles.v1development.ProfilesData;
import io.opentelemetry.proto.profiles.v1development.ProfilesDictionary;
import io.opentelemetry.proto.profiles.v1development.Sample;
import java.io.IOException;
import java.util.List;
import net.jqwik.api.Example;

class OtlpFormatTest extends FormatContract {
    private static final String FOREIGN =
            """
            resource_profiles {
              resource { attributes { key: "service.name" value { string_value: "shop" } } }
              scope_profiles {
                profiles {
                  sample_type { type_strindex: 1 unit_strindex: 2 }
                  time_unix_nano: 1000
                  duration_nano: 500
                  samples { stack_index: 1 attribute_indices: 1 values: 3 values: 4 }
                  samples { stack_index: 1 timestamps_unix_nano: 7 timestamps_unix_nano: 8 }
                }
                profiles {
                  sample_type { type_strindex: 3 unit_strindex: 4 }
                  samples { stack_index: 2 values: 5 }
                }
              }
            }
            dictionary {
              string_table: [ "", "samples", "count", "cpu", "milliseconds", "thread.name",
                              "java/lang/Thread.run", "memcpy", "profile.frame.type", "a.B.c" ]
              attribute_table {}
              attribute_table { key_strindex: 5 value { string_value: "main" } }
              attribute_table { key_strindex: 8 value { string_value: "native" } }
              function_table {}
              function_table { name_strindex: 6 }
              function_table { name_strindex: 7 }
              function_table { name_strindex: 9 }
              location_table {}
              location_table { lines { function_index: 3 line: 12 } lines { function_index: 1 } }
              location_table { lines { function_index: 2 } attribute_indices: 2 }
              stack_table {}
              stack_table { location_indices: [ 1 ] }
              stack_table { location_indices: [ 2, 1 ] }
            }
            """;

    @Override
    Format format() {
        return new OtlpFormat();
    }

    @Override
    Profile expressible(Profile profile) {
        return Expected.EVERYTHING.of(profile);
    }

    @Override
    List<String> writtenResources(Profile profile) {
        return profile.columns().stream().map(column -> column.resource().name()).toList();
    }

    @Example
    void profilesOfOtherToolsAreUnderstood() throws IOException {
        Profile profile = read(TextFormat.parse(FOREIGN, ProfilesData.class).toByteArray());
        assertThat(profile.provenance().fact(Provenance.APPLICATION)).isEqualTo("shop");
        assertThat(profile.provenance().untilNanos()).isEqualTo(1500);
        assertThat(Expected.totalsByThread(profile, "samples"))
                .containsEntry("thread main", 7L)
                .containsEntry("no thread", 2L);
        assertThat(profile.column("cpu").orElseThrow().resource()).isEqualTo(Resource.CPU);
        assertThat(profile.column("cpu").orElseThrow().total()).isEqualTo(5_000_000);
        assertThat(profile.path(3))
                .containsExactly(
                        Consumer.method("java.lang.Thread", "run", ""),
                        Consumer.method("a.B", "c", ""),
                        Consumer.method("", "memcpy", ""));
        assertThat(profile.site(2)).isEqualTo(Site.of(12, FrameKind.INLINED));
        assertThat(profile.site(3)).isEqualTo(Site.of(0, FrameKind.NATIVE));
    }

    @Example
    void referencesToNothingAreRefused() throws IOException {
        for (String[] change :
                new String[][] {
                    {"stack_index: 2", "stack_index: 9", "there is no stack 9"},
                    {"attribute_indices: 1", "attribute_indices: 9", "there is no attribute 9"},
                    {"[ 2, 1 ]", "[ 2, 9 ]", "there is no location 9"},
                    {"function_index: 3", "function_index: 9", "there is no function 9"},
                    {"name_strindex: 7", "name_strindex: 99", "there is no text 99"},
                    {"values: 5", "values: 9223372036854775807", "too large"}
                }) {
            byte[] content =
                    TextFormat.parse(FOREIGN.replace(change[0], change[1]), ProfilesData.class)
                            .toByteArray();
            assertThatThrownBy(() -> read(content))
                    .isInstanceOf(FormatException.class)
                    .hasMessageContaining(change[2]);
        }
    }

    @Example
    void stacksWithoutEndAreRefused() throws IOException {
        ProfilesData.Builder data = TextFormat.parse(FOREIGN, ProfilesData.class).toBuilder();
        ProfilesDictionary.Builder dictionary = data.getDictionaryBuilder();
        for (int i = 0; i < 50_000; i++) {
            dictionary.getLocationTableBuilder(1).addLines(Line.newBuilder().setFunctionIndex(1));
            dictionary.getStackTableBuilder(1).addLocationIndices(1);
        }
        assertThatThrownBy(() -> read(data.build().toByteArray()))
                .isInstanceOf(FormatException.class)
                .hasMessageContaining("a stack has more than 1000000 frames");
    }

    @Example
    void whatIsWrittenKeepsTheRulesOfTheDictionary() throws IOException {
        ProfilesData data = ProfilesData.parseFrom(write(RandomProfiles.profile(3, 50, false)));
        ProfilesDictionary dictionary = data.getDictionary();
        assertThat(dictionary.getStringTable(0)).isEmpty();
        assertThat(dictionary.getStackTable(0).getLocationIndicesCount()).isZero();
        assertThat(dictionary.getStringTableList()).doesNotHaveDuplicates();
        assertThat(dictionary.getStackTableList()).doesNotHaveDuplicates();
        assertThat(dictionary.getAttributeTableList()).doesNotHaveDuplicates();
        for (Sample sample :
                data.getResourceProfiles(0).getScopeProfiles(0).getProfiles(0).getSamplesList()) {
            assertThat(sample.getStackIndex()).isLessThan(dictionary.getStackTableCount());
            assertThat(sample.getValuesCount()).isEqualTo(1);
        }
    }
}
